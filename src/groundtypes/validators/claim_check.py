"""`ClaimCheck`: the base of checks on texts, which judge other values by the claim they make."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from groundtypes.errors import MarkerError, fault_message
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.validators.marked_field import MarkedField
from groundtypes.validators.typed.claims import fill, has_two_forms, parsed, sibling_fields
from groundtypes.validators.typed.schemas import CLAIMED_SCHEMAS, kinds_of_items
from groundtypes.verdicts import Verdict

_TEXT: Final = frozenset(("str",))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck(Check):
    """A check on a text, or on the claim that a value makes: its option `claim` is the template."""

    #: Whether the check can say that a claim is false, so that one form is enough.
    denies: ClassVar[bool] = False

    @property
    def template(self) -> str | None:
        """The option `claim`."""
        claim: str | None = getattr(self, "claim", None)
        return claim

    def check_claim(self) -> None:
        """Raise unless the claim is a template."""
        if self.template is not None:
            parsed(self.template)

    def claim_of(self, value: Any, case: Case) -> str | Verdict:
        """Return the text that is judged, or a fault if a field that the claim names is empty."""
        if self.template is None:
            return str(value)
        text, empty = fill(self.template, value, case)
        if empty is None:
            return text
        return self.fails(*fault_message("claim_incomplete", field=empty))

    def text_of(self, value: Any, case: Case) -> str | Verdict:
        """Return the claim of a value, or its text without citation markers, or a fault."""
        text = self.claim_of(value, case)
        if self.template is not None or isinstance(text, Verdict):
            return text
        return case.without_markers(text) or text

    def _accepted(self) -> frozenset[str]:
        return self.accepts if self.template is None else self.accepts | CLAIMED_SCHEMAS

    def _named_fields(self, field: MarkedField) -> Sequence[str]:
        named = () if self.template is None else sibling_fields(self.template, field)
        return (*self.siblings, *named)

    def _reads_items(self, schema: CoreSchema, handler: GetCoreSchemaHandler) -> bool:
        kinds = frozenset(kinds_of_items(schema, handler))
        return self.template is not None and kinds <= CLAIMED_SCHEMAS

    def _reject_wrong_type(self, kinds: frozenset[str], source: Any, field: MarkedField) -> None:
        name = field.name or "renews"
        if self.template is None and kinds <= CLAIMED_SCHEMAS | _TEXT and not kinds <= _TEXT:
            example = f'claim="The status of the invoice is {{{name}}}."'
            if "bool" in kinds:
                example = f'claim="The contract {{{name}:renews|does not renew}} automatically."'
            raise MarkerError(
                f"{self._described_in(field)} judges texts. Say in a sentence what a value means: "
                f"{self.name}({example})."
            )
        Check._reject_wrong_type(self, kinds, source, field)  # noqa: SLF001 # no super() with slots
        if self.template is None or "bool" not in kinds or self.denies:
            return
        if not has_two_forms(self.template, field):
            raise MarkerError(
                f"{self._described_in(field)} needs a claim with a form for true and one for "
                f'false: "The contract {{{name}:renews|does not renew}} automatically."'
            )
