from collections.abc import Iterator

import pytest

from groundtypes.telemetry import instrument, uninstrument
from tests.telemetry.emitted import Emitted


@pytest.fixture
def emitted() -> Iterator[Emitted]:
    """What is emitted while telemetry is switched on."""
    collected = Emitted()
    instrument(**collected.providers)
    yield collected
    uninstrument()
    collected.tracers.shutdown()
    collected.meters.shutdown()
