"""Checks as markers for `Annotated`, and what connects them with Pydantic.

`check` defines `Check`, from which every marker derives; `case` defines `Case`, which a check reads
in addition to the value (references, siblings, engines). `check_group` runs the checks of one value
when Pydantic calls, and `line_errors` turns failing verdicts into lines of a `ValidationError`.
`marked_field` describes the field that a marker is on; `check` uses it to reject markers in the
wrong place, and `annotations` finds the checks that a class declares. `option_values` checks what
markers are made with, `llm_check` is the base of the LLM markers, and `claim_check` that of markers
which judge a value that is no text by the claim it makes. `typed` looks up numbers and dates.
`quote_spans` is what
`Quoted(spans=True)` reads and writes; every other module holds the marker that it is named after.
"""
