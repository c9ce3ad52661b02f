"""Every error code (slug) and every message of a fault, in one place."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_COPY: Final = "Copy the quote word for word from one of the references, or remove this item."

#: The template of each message, which says what is wrong, then what to do. `fault_message` fills
#: all placeholders in one pass, so that braces in a quote or a reference stay what they are.
_FAULTS: Final = {
    # Quoted
    "quote_not_found": "These words stand in no reference. " + _COPY,
    "quote_not_found_nearest": (
        "These words stand in no reference. The closest passage is in reference {reference}: "
        "{passage}. Copy a quote from there word for word, or remove this item."
    ),
    "quote_not_found_near": (
        "These words stand in no reference. Reference {reference} comes closest, but has no "
        "passage there that could be a quote of {length}. Copy another passage word for word, "
        "or remove this item."
    ),
    "quote_altered": (
        "WRONG: {difference}. RIGHT: {passage}. Use the RIGHT words of reference {reference}, "
        "exactly as they are."
    ),
    "quote_altered_alone": (
        "WRONG: {difference}. Reference {reference} has no passage there that could be a quote "
        "of {length}. Copy another passage word for word, or remove this item."
    ),
    "quote_cut": (
        "The quote starts or ends inside a word or a number. Reference {reference} reads: "
        "{passage}. Copy whole words and numbers."
    ),
    "quote_cut_alone": (
        "The quote starts or ends inside a word or a number of reference {reference}, which "
        "has no passage there that could be a quote of {length}. Copy another passage word for "
        "word, or remove this item."
    ),
    "quote_in_other_reference": (
        "These words do not stand in reference {named}, but in reference {reference}. "
        "Name reference {reference}, or quote from {named}."
    ),
    "reference_unknown": (
        "There is no reference {named}. Name the reference that the quote is copied from, "
        "one of: {known}."
    ),
    "quote_too_short": (
        "The quote is too short to prove anything: it has fewer than {limit}. "
        "Copy the whole phrase or sentence from the reference."
    ),
    "quote_too_long": (
        "The quote is too long: it has {count}, and at most {limit} allowed. "
        "Copy only the part that proves the point."
    ),
    "quote_whole_reference": (
        "The quote is the whole of reference {reference}, which proves nothing in particular. "
        "Copy only the part that proves the point."
    ),
    # Entailed
    "not_entailed": (
        "This does not follow from {grounds}: {sentence}. The closest passage, in {where}, "
        "says: {passage}{because}. Say only what it says, or remove this sentence."
    ),
    "not_entailed_nothing": (
        "This does not follow from {grounds}, for there is no text in them: {sentence}. "
        "Remove this sentence."
    ),
    "not_entailed_empty": (
        "There is no statement here that could follow from a reference. Write one that does."
    ),
    "not_entailed_too_long": (
        "This text has {count} sentences, and at most {limit} are judged. Write a shorter one."
    ),
    "contradicted": (
        "This contradicts {grounds}: {sentence}. The passage, in {where}, says: "
        "{passage}{because}. Correct the sentence so that it says the same."
    ),
    # Values by the claims they make
    "not_entailed_value": (
        "This value says what does not follow from {grounds}: {sentence}. The closest passage, in "
        "{where}, says: {passage}{because}. Correct the value, or leave the field empty."
    ),
    "contradicted_value": (
        "This value says what contradicts {grounds}: {sentence}. The passage, in {where}, says: "
        "{passage}{because}. Correct the value so that it says the same."
    ),
    "not_entailed_denied": (
        "False denies this, which nothing in {grounds} contradicts: {sentence}. The closest "
        "passage, in {where}, says: {passage}. Leave the field empty if it is not said."
    ),
    "contradicted_denied": (
        "False denies what follows from {grounds}: {sentence}. The passage, in {where}, says: "
        "{passage}. Write true."
    ),
    "contradicted_choice": (
        "Another value follows more surely from {grounds} than this: {sentence}. The passage, in "
        "{where}, says: {passage}. Write {write}."
    ),
    "claim_incomplete": (
        "What this value says needs the field {field}, which is empty. Fill both, or neither."
    ),
    # Cited
    "citation_unknown": (
        "There is no reference {label}, which this cites: {sentence}. "
        "Cite one of those that exist: {known}."
    ),
    "citation_unknown_none": (
        "There are no references, but this cites {label}: {sentence}. "
        "Say that nothing was found, and cite nothing."
    ),
    "citation_missing": (
        "This cites no reference: {sentence}. "
        "Cite the reference that says it, or remove the sentence."
    ),
    "citation_missing_found": (
        "This cites no reference: {sentence}. Reference {other} says it: {other_passage}. "
        "Cite {other} for it."
    ),
    "citation_missing_everywhere": (
        "The answer cites no reference. Cite those that it is taken from, of: {known}."
    ),
    "citation_missing_empty": (
        "There is no statement here. Write one that a reference supports, and cite it."
    ),
    "citation_unsupported": (
        "Reference {cited} does not say this: {sentence}. The closest passage there: "
        "{passage}{because}. Say only what it says, or cite a reference that says it."
    ),
    "citation_unsupported_elsewhere": (
        "Reference {cited} does not say this: {sentence}. "
        "But reference {other} does: {other_passage}. Cite {other} for it."
    ),
    "citation_unsupported_figure": (
        "{figure} does not stand in reference {cited}, which this cites: {sentence}. The "
        "closest passage there: {passage}. Use the figure that stands there, or cite a "
        "reference that has it."
    ),
    "citation_unsupported_nothing": (
        "There is no text in reference {cited}, which this cites: {sentence}. "
        "Cite a reference that says it, or remove the sentence."
    ),
    "citation_unsupported_passage": (
        "The passage of reference {cited} that is cited does not say this: {sentence}. Another "
        "one of it does: {other_passage}. Cite that passage."
    ),
    "citation_contradicted_passage": (
        "The passage of reference {cited} that is cited contradicts this: {sentence}. It says: "
        "{passage}. Another one of it supports it: {other_passage}. Cite that passage, or "
        "correct the sentence."
    ),
    "citation_contradicted": (
        "Reference {cited} contradicts this: {sentence}. It says: {passage}{because}. "
        "Correct the sentence so that it says the same."
    ),
    "citation_contradicted_elsewhere": (
        "Reference {cited} contradicts this: {sentence}. It says: {passage}. But reference "
        "{other} supports it: {other_passage}. Cite {other} for it, or correct the sentence."
    ),
    "citation_superfluous": (
        "Reference {superfluous} does not support this: {sentence}. {others} supports it "
        "alone. Remove the citation of {superfluous}."
    ),
    "citation_superfluous_many": (
        "This cites {count} references, and no more than {most} are compared: {sentence}. "
        "Cite only those that support it, {most} at most."
    ),
    # Answered
    "refused_refusal": (
        "This refuses to answer: {sentence}. Answer the question from the references."
    ),
    "refused_abstention": (
        "This says that the information is missing: {sentence}. Look for it in the references "
        "once more, and answer from them."
    ),
    "refused_answerable": (
        "This says that the information is missing: {sentence}. But {where} seems to hold it: "
        "{passage}. Answer from there."
    ),
    "refused_partial": (
        "This refuses in part: {sentence}. Leave that out, and answer the question in full."
    ),
    "refused_empty": "There is no answer here. Answer the question from the references.",
    # Figures
    "figure_unsupported": (
        "{figure} does not stand in {place}. The nearest figures there: {nearest}. "
        "Use a figure that stands there, with its unit, or say it without a figure."
    ),
    "figure_unsupported_alone": (
        "{figure} does not stand in {place}, and no figure like it does. "
        "Say it without a figure, or remove it."
    ),
    # Figures on numbers, dates and times
    "value_not_stated": "{value} does not stand in {place}. {advice}",
    "value_wrong_scale": "{value} has the wrong scale. {advice}",
    "value_wrong_unit": "{value} stands in {place} with another unit: {words}. {advice}",
    "value_wrong_sign": "{value} has the wrong sign: in {place} stands {words}. {advice}",
    "value_rounded": "{value} is not what stands in {place}, only near it. {advice}",
    "value_bounded": (
        "In {place} stands a bound, {words}, and not the value {value}. "
        "Quote words that state the value, or leave the field empty."
    ),
    "value_in_range": (
        "In {place} stands a range, {words}, of which {value} is one end. "
        "Quote words that state the value, or leave the field empty."
    ),
    "value_ambiguous": (
        "In {place} stand several values: {others}. "
        "Quote only the words that state the one of this field."
    ),
    "value_of_other": "{value} stands in {place}, but not as the value of {of}. {advice}",
    "value_day_month_swapped": "The day and the month of {value} are swapped. {advice}",
    "value_too_precise": (
        "In {place} stands only {words}, which says less than {value}. "
        "Quote words that state all of it, or leave the field empty."
    ),
    "value_not_finite": (
        "{value} is no number that a text states. Write the number of {place}, or leave the "
        "field empty."
    ),
    "value_is_bool": "A truth value is no number. Write the number, or leave the field empty.",
    # Supported
    "claim_contradicted": (
        "Reference {reference} contradicts the claim {claim}. It says: {passage}. "
        "Correct the claim so that it says the same."
    ),
    "claim_unsupported": (
        "No reference supports the claim {claim}. The closest passage, in reference "
        "{reference}, says: {passage}. Say only what it says, or remove the claim."
    ),
    "claim_unsupported_nothing": (
        "No reference supports the claim {claim}: none says anything about it. Remove it."
    ),
    "claim_unsupported_none": ("There is no claim here that a reference could support. Write one."),
    # Judged
    "judged_false": (
        "This breaks the rule: {rule} Reasons: {reasons} Change it so that the rule holds."
    ),
    # Faithful
    "unfaithful": (
        "This says something that the references do not. Reasons: {reasons} "
        "Say only what the references say."
    ),
    # Aligned
    "uncited": "The answer cites nothing. Add citations that support what it says.",
    "question_missed": (
        "This does not answer the question. Reasons: {reasons} Answer what is asked."
    ),
    "misaligned": (
        "The citations do not support the answer. Reasons: {reasons} "
        "Cite what supports it, or say only what the citations support."
    ),
    # Citations of providers
    "citation_source_missing": (
        "Citation {number} names {source}, whose text is not there, so nothing shows what it "
        "says. Give its text as a reference, or cite a document that is there."
    ),
    "citation_span_wrong": (
        "Citation {number} marks characters {offsets}. No such words are there. "
        "Mark the words that the citation is for."
    ),
    "citation_span_wrong_source": (
        "Citation {number} points to {offsets} of reference {reference}, where it says: "
        "{passage}. The cited words are {found}. Point to these."
    ),
    "citation_quote_not_found": (
        "Citation {number} says that reference {reference} has these words: {quote}. "
        "It does not have them. Copy words that it has."
    ),
    "citation_quote_empty": (
        "Citation {number} copies no words of reference {reference}, so nothing shows what it "
        "says. Copy the words that say it."
    ),
    "citation_quote_not_found_nearest": (
        "Citation {number} says that reference {reference} has these words: {quote}. "
        "It does not have them; the closest passage says: {passage}. Copy words that it has."
    ),
    "citation_page_wrong": (
        "Citation {number} says that its words are on page {cited} of reference {reference}, "
        "but they are on page {page}. Name that page."
    ),
    "citation_page_missing": (
        "Citation {number} names page {cited} of reference {reference}, whose pages are "
        "{first} to {last}. Name the page that says it."
    ),
}
FAULTS: Final[Mapping[str, str]] = MappingProxyType(_FAULTS)

#: The slugs of templates whose key does not begin with it.
_OTHER_SLUGS: Final = {
    "quote_cut": "quote_altered",
    "quote_cut_alone": "quote_altered",
    "quote_whole_reference": "quote_too_long",
    "citation_page_missing": "citation_page_wrong",
    "citation_quote_empty": "citation_quote_not_found",
}


def _slug_of(template: str) -> str:
    """Return the shortest key of a template, or `refused`, that the key of this one begins with."""
    keys = (key for key in (*_FAULTS, "refused") if f"{template}_".startswith(f"{key}_"))
    return _OTHER_SLUGS.get(template) or min(keys, key=len)


#: The slug of each template.
SLUGS: Final[Mapping[str, str]] = MappingProxyType({key: _slug_of(key) for key in _FAULTS})
