"""What groundtypes knows of other packages: one module or package for each.

- `instructor`: what its clients and exceptions hold; `attempts` and `recordings` are built on it.
- `telemetry`: OpenTelemetry.
"""
