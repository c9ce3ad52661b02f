"""Rows in, clean and rejected rows out."""
