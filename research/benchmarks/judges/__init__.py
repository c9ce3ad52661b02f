"""Every judge on every set: a page and a chart from stored scores.

`sets` loads the rows, `measuring` has an engine judge them, `store` keeps what it said, `results`
counts, and `page` and `chart` show.
"""
