"""Work on plain strings: characters, sentences, passages, word statistics."""
