"""Runs of evaluations over files of rows."""
