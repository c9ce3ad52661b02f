"""Public data sets, texts and word lists that the benchmarks, the scripts and the training read.

Nothing here imports the benchmarks, the scripts or the training. The training imports only from
here; benchmarks and scripts import from here and from the training, and not from each other.
"""
