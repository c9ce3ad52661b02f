"""What a run over a file of rows would take, from a sample of its rows, before anything is spent.

`sampling` reads batches of rows that are spread over the file. `measuring` processes them as the
run would, in this process or in workers, while `metering` answers in the place of the engines: it
counts the questions to LLMs and gives them the replies of `modelled_replies`, and it times NLI
engines that run on this machine. `checking` and `asking` make the figures of both kinds of runs,
`result` their intervals, and `run` is what users call.
"""
