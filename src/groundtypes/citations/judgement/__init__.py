"""Whether the references that a sentence cites support it, and the verdicts that say so.

`judged_sentences` asks about all sentences in one batch; `nli_support` asks the NLI engine and
looks up the figures, `llm_support` asks an LLM. `citation_verdicts` words what was found.
"""
