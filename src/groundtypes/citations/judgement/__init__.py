"""Whether what a sentence cites supports it, asked in one batch, and the verdicts that say so."""
