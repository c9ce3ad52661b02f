"""The sentences of an answer: what each cites, and whether it claims something."""
