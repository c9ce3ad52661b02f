"""Evaluations over files of rows.

`run` reads the rows of a table, takes their parts from the `columns`, evaluates them in batches
and writes their `scores`, with the means and the differences to another run.
"""
