"""What a run over a file of rows would take, from a sample of its rows, before anything is spent.

`sampling` reads batches of rows that are spread over the file. `check_estimate` processes them as
the run would, while `meter` answers in the place of the engines and counts: questions to LLMs get
the replies of `modelled_replies`. `question_estimate` estimates a run that asks for answers.
`estimated_figures` makes the figures of the file out of those of the sample, and `estimate_run` has
what users call.
"""
