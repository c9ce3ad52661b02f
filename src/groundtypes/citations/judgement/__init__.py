"""Whether the references that a sentence cites support it, and the verdicts that say so.

`judgement` asks about all sentences in one batch; `support` asks the NLI engine and looks up the
figures, `llm` asks an LLM. `verdicts` words what was found.
"""
