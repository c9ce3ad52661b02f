"""What providers cite: their citations in one shape, and which of them hold; no SDK is needed."""
