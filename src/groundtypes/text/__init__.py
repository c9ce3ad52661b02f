"""Work on plain strings, which every other package builds on.

- `characters`: classes of characters, and the folding of a word for comparison.
- `layout` cuts a text into paragraphs, list items, table rows and headings, and `punkt` finds the
  sentence boundaries in them; `sentences` combines both.
- `hypotheses` words each sentence of an answer so that it can be judged alone; `chunks` packs the
  sentences of a reference into pieces that fit the window of a model.
- `bm25` ranks texts by the words that they share with a query; `coverage` measures how many words
  of a statement occur in a passage.
"""
