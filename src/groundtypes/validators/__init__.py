"""The checks: markers for `Annotated` that judge a value against its references."""
