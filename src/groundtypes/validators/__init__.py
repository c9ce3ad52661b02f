"""Checks as markers for `Annotated`, and what connects them with Pydantic.

`check` defines `Check`, from which every marker derives; `case` defines `Case`, which a check reads
beside the value (references, siblings, engines). `check_group` runs the checks of one value when
Pydantic calls, and `line_errors` turns failing verdicts into lines of a `ValidationError`.
`marked_field` and `plain_unions` reject markers in the wrong place when a class is built. Every
other module holds the marker that it is named after.
"""
