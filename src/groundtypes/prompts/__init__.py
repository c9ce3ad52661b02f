"""The prompts: a file for each, with its version in its name, and the models of the replies."""
