"""Raised signs and digits that plain text has on the line: Ca²⁺ and Ca2+, R² and R2, Δ⁹ and Δ9.

An exponent counts: 10² is neither 102 nor 10 2. Only where what is raised cannot mean something
else on the line are the two notations equal: the charge of an ion or a cell, and a few symbols.
"""

from typing import Final

from groundtypes.quotes.tokens import DASH, EXPONENT, HYPHEN, NUMBER, SYMBOL, WORD, Tokens

__all__ = ["is_flat_on_the_other_side"]

#: Metals: behind their symbols, a digit and a sign are a charge. Behind those of other elements the
#: digit may count atoms: O2- is the ion of two of them or of one with two charges.
_METALS: Final = frozenset(
    "li na k rb cs be mg ca sr ba al ga in tl sn pb bi ti zr v cr mo mn fe co ni cu zn ag cd au pt "
    "pd la ce eu gd tb th u".split()
)
#: Elements and groups of atoms behind which a sign is a charge.
_IONS: Final = _METALS | frozenset(
    "h f cl br i oh cn scn hs no nh po so co clo mno cro hco coo".split()
)
#: Symbols whose square plain text writes with a 2 on the line; there are no others of that name.
_SQUARED: Final = frozenset(("r", "chi"))
_SIGNS: Final = frozenset("+-")
_SIGN_KINDS: Final = frozenset((SYMBOL, DASH, HYPHEN))


def is_flat_on_the_other_side(
    raised: Tokens, at: int, flat: Tokens, flat_at: int, step: int, *, is_of_text: bool
) -> bool:
    """Whether the exponent at `at` may be missing in the other tokens, which have it on the line.

    The other tokens go on at `flat_at`, in the direction `step`. `is_of_text` says that the
    exponent is the text's: a quote that raises a digit says more than one that leaves it flat.
    """
    if raised.kinds[at] != EXPONENT or not 0 < at < len(raised) - 1:
        return False
    before = flat_at - 1 if step > 0 else flat_at
    if not (0 <= before < len(flat) - 1 and flat.ends[before] == flat.starts[before + 1]):
        return False
    word, kind = raised.keys[at - 1], raised.kinds[at - 1]
    if raised.ends[at - 1] != raised.starts[at]:
        return False
    if raised.keys[at + 1] in _SIGNS:
        is_name = (
            kind == NUMBER
            and at > 1
            and raised.kinds[at - 2] == WORD
            and _is_joined(raised, at - 1)
        )
        # A name of two letters is a marker of cells ("ER⁺"), a single letter rather a variable.
        is_ion = kind == WORD and (word in _IONS or len(word) == len("ER"))
        return (is_name or is_ion) and _ends_charge(raised, at + 1, is_name=is_name)
    if raised.kinds[at + 1] != NUMBER or kind != WORD:
        return False
    if word == "delta":  # the place of a double bond
        return True
    if at + 2 < len(raised) and raised.keys[at + 2] in _SIGNS and _is_joined(raised, at + 2):
        digit = raised.keys[at + 1]
        return digit in "1234" and word in _METALS and _ends_charge(raised, at + 2)
    return is_of_text and raised.keys[at + 1] == "2" and word in _SQUARED


def _ends_charge(tokens: Tokens, at: int, *, is_name: bool = False) -> bool:
    """Whether the sign at this index ends a charge, and does not stand before another term.

    Behind a name such as CD4 there may be another name: "CD4+CD25+".
    """
    if tokens.kinds[at] not in _SIGN_KINDS:
        return False
    after = at + 1
    if after == len(tokens) or not _is_joined(tokens, after):
        return True
    return tokens.kinds[after] not in ((NUMBER,) if is_name else (WORD, NUMBER))


def _is_joined(tokens: Tokens, at: int) -> bool:
    """Whether nothing stands between a token and the one before it."""
    return tokens.ends[at - 1] == tokens.starts[at]
