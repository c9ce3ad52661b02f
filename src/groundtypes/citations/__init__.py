"""Citations: what an answer cites, and whether that supports it.

- `markers` reads the citation markers of a text: which there are, and which references they mean.
- `statements` cuts an answer into sentences: what each cites, and whether it claims something.
- `judgement` asks whether what a sentence cites supports it, and words the verdicts of `Cited`.
- `providers` reads and judges what Anthropic, OpenAI, Gemini, Cohere and others cite. Its public
  names are those of `__init__.pyi`, imported when they are first used.
"""

from groundtypes import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
