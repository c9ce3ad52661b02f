"""Files of rows.

In: `json_lines` cuts a stream into lines, `parsing` makes an object of a line and `rows` finds its
answer and its validation context; `tables` reads CSV and Parquet too. Out: `run_files` appends to
partial files (`files`) and records in a checkpoint how far the run has come. `counts` sums up what
happens to the rows, and `progress` is told about it.
"""
