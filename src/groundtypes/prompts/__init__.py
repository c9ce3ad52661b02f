"""What LLMs are asked: one file for each prompt, with its version in its name."""
