"""Sources that are no prose: JSON values and tables."""
