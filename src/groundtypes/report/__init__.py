"""Audited answers beside their references, as one self-contained HTML page.

`report_rows` reads each row, in any form that the package writes; `summary` counts over all rows.
`page_data` makes the data that the page's script reads, with `judged_spans` (the part of a field
that a verdict is about), `word_diff` and `reference_texts`; `report` writes the page. The package
takes rows instead of `Audit` objects, so that an audit can offer its page without an import cycle.
"""

from groundtypes.report.report import LIMIT, HasRow, Report
from groundtypes.report.summary import Summary

__all__ = ["LIMIT", "HasRow", "Report", "Summary"]
