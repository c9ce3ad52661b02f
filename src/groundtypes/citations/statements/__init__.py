"""The sentences of an answer: what each cites, and whether it claims something.

`sentences` says which markers count for which sentence of the `prose`, `claiming` which words of a
sentence claim something (`phrases` has those that claim nothing), and `cited_answer` puts both
together. `cited_statements` lists what a validated answer cites.
"""
