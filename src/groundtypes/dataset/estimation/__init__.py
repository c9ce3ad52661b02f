"""What a run over a file of rows would take, from a sample of its rows, before anything is spent.

`sampling` reads batches of rows from all over the file. `estimate_run` processes them as the run
would, while `meter` answers in the place of the engines and counts.
"""
