"""Rounds: validate, settle the questions of all checks in one batch, validate again."""
