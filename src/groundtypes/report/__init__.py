"""Audited answers beside their references, as one self-contained HTML page.

Rows of plain data (`Audit.to_row`, or lines of a file) come in, one page goes out:

1. `report_rows` reads each row, in any form that the package writes, into a `ReportRow`: the
   attempts at an answer, each with its verdicts, and the references.
2. `summary` counts rows, verdicts and faults over all of them; `summary_html` writes the counts.
3. `page_data` turns a row into the data that the page's script reads: `answer_fields` lists the
   values of the answer, `judged_spans` finds the part of a field that a verdict is about,
   `word_diff` marks where a claim and a passage differ, and `reference_texts` stores each reference
   text once.
4. `report_page` puts the summary, the data, the script and the style into one file.

`report` does all of it, row by row. The package takes rows instead of `Audit` objects, so that an
audit can offer its page without a cycle of imports.
"""

from groundtypes.report.report import LIMIT, HasRow, Report
from groundtypes.report.summary import Summary

__all__ = ["LIMIT", "HasRow", "Report", "Summary"]
