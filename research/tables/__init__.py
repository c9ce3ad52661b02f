"""What makes the data files that the library ships; nothing of it is imported at run time."""
