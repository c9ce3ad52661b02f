"""Tables of rows in, the same tables with verdicts out: one callable for every batch engine.

`AuditRows` is what Ray Data, Spark, Daft, Hugging Face `datasets`, pandas and Polars call with one
batch of rows after the other. `frames` reads and makes the kinds of tables, `cell_values` reads
their values, `table_reader` finds the answer and the context of each row, `judging` audits them,
and `schema` and `verdict_columns` say and make what comes out.

The names of the stub are imported when they are first used, because they need pyarrow.
"""

from groundtypes import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
