"""Audits as one self-contained HTML page: each answer beside its references.

The page is made from rows of plain data, so that this room stands below `Audit`: an audit hands
its row down, as a file of rows does.
"""

from groundtypes.report.report import LIMIT, HasRow, Report
from groundtypes.report.summary import Summary

__all__ = ["LIMIT", "HasRow", "Report", "Summary"]
