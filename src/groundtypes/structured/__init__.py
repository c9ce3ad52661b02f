"""Sources that are no prose: JSON values and tables, written as lines that checks can read.

Each object of a JSON value and each row of a table becomes one line, with the key or header before
each value. A `Structure` says where the values are in these lines, and what they are called.
"""
