"""Rows in, clean and rejected rows out.

`job` has a processor make the lines of each output, batch by batch; the one of `groundtypes check`
is in `row_auditor`. `provider_batches` checks the result files of a provider's batch API.
"""
