"""Programs that build data files of the repository, look for faults, or start a local LLM."""
