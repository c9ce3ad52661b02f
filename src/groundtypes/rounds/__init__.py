"""Rounds: validate, collect the questions of all checks, settle them in one batch, validate again.

How an answer gets its verdicts:

1. **Validate.** Pydantic validates the answer. A check that needs an engine asks the `Ledger`; if
   its result is not known yet, the ledger notes the question and the check waits.
2. **Settle.** The ledger sends all questions of the round, of however many answers, to each engine
   in one batch.
3. **Validate again.** The checks run once more, now with the results. A check that fails
   raises where its value is, so Pydantic gives every error its exact location. Steps 2 and 3 repeat
   as long as a check asks something new.
4. **Locate the verdicts** (for audits only). In one more validation every check raises, so that
   Pydantic also gives the location of each passing verdict.
5. **Drop items.** List items that failed a check with `on_fault="drop"` are removed from the
   input, and the rest goes through steps 1 to 4 again.

`state` remembers the calls of the checks from one round to the next, `runner` runs the rounds, and
`inputs` removes dropped items, and `error_lines` says where faults are in the answer with them.
"""
