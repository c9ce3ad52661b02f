"""Files of rows: read line by line, written whole, resumable.

In: `json_lines` splits a stream into lines, `parsing` parses the object of a line, and
`answer_rows` finds its answer and its validation context; `table_files` reads CSV and Parquet as
well. Out: `run_files` appends to partial files (`files`) and records in a checkpoint how far the
run has come. `counts` adds up the outcomes of the rows, and `progress` receives them.
"""
