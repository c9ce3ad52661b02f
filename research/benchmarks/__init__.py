"""Measurements of quality and speed; each module is started with `python -m benchmarks.NAME`."""
