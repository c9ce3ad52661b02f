"""Values that are no text: numbers, dates and lengths of time looked up in texts, claims filled in.

`schemas` says of what kind the values of a field are, and puts a marker on the items of lists.
`candidates` reads the figures of the texts that a value may be one of; `labels` says which of them
are values of something ("net revenue"). `units` reads the unit of a field. `numbers` compares
numbers with the candidates, `times` dates, times and lengths of time; both return a `Finding`.
`claims` turns a value into a sentence by a template.
"""
