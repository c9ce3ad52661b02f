"""Evidence: which pieces of the references can support or contradict a sentence.

The words that this package and the ones above it use:

- A **chunk** is a piece of any text: whole sentences that fit the window of a model
  (`groundtypes.text.chunks`).
- A **passage** is a piece of a reference that is used as evidence: a chunk or a sentence together
  with its span.
- A **premise** is the reference side of an NLI pair: a passage, or several sentences joined,
  perhaps with the user's question in front.
- A **hypothesis** is the other side: the sentence or claim that is checked.

`passage_index` cuts the references into chunks and sentences, makes them searchable by words, and
selects the best passages for a hypothesis. These become premises for an NLI engine (`premises`) or
texts in the prompt of an LLM (`prompt_passages`).
"""
