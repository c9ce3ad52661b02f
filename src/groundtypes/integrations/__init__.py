"""What groundtypes knows of other packages: one module or package for each.

- `instructor`: what its clients, exceptions and streams hold; `attempts` and `recordings` are built
  on it.
- `pydantic_ai`: what its streams hold.
- `telemetry`: OpenTelemetry.
"""
