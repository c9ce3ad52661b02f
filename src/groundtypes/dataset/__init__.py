"""Data sets: rows in; clean and rejected rows, scores, or the files that trainers read, out.

The names below are imported when they are first used: checking rows needs no evaluation.
"""

from groundtypes import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
