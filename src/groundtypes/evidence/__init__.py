"""Evidence: the passages of the references that may decide a statement."""
