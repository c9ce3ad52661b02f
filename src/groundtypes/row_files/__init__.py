"""Files of rows: read line by line, written whole, resumable.

In: `json_lines` splits a stream into lines and parses the object of a line, `answer_rows` finds its
answer and its context; `table_files` reads CSV and Parquet as well. Out: `run_files` appends to
partial files (`files`) and records how far the run has come. `counts` adds up the outcomes.
"""
