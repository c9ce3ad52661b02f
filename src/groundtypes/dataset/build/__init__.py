"""From rows and recorded calls to the files that trainers read."""
