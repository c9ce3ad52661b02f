"""Files of rows: reading, writing, checkpoints."""
