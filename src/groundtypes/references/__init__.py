"""References: the texts that must support an answer, read from whatever a pipeline holds them in.

`References` is a collection of texts with ids (`reading`); `documents` reads the objects of
pipelines as such, and a `Span` is a part of one (`spans`).

Sources that are no prose, JSON values and tables, are written as lines that checks can read: each
object of a JSON value and each row of a table becomes one line, with the key or header before each
value. A `Structure` says where the values are in these lines, and what they are called.
"""

from groundtypes.references.reading import PerReferences, References
from groundtypes.references.spans import Reference, Span

__all__ = ["PerReferences", "Reference", "References", "Span"]
