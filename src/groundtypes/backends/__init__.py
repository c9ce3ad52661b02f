"""The engines that judge pairs of texts, each behind `NLIScorer`; none is loaded until imported."""
