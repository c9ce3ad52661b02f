"""Tables of rows in, the same tables with verdicts out: one callable for every batch engine.

`AuditRows` is what Ray Data, Spark, Daft, Hugging Face `datasets`, pandas and Polars call with one
batch of rows after the other. `frames` reads the kinds of tables, `table_reader` finds the answer
and the context of each row, and `verdict_columns` judges them and makes what comes out. The names
of the stub are imported when they are first used, because they need pyarrow.
"""

from groundtypes import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
