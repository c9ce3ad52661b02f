from collections.abc import Iterator

import pytest

from groundtypes.integrations.telemetry import instrument, uninstrument
from tests.integrations.telemetry.emitted import Emitted


@pytest.fixture
def emitted() -> Iterator[Emitted]:
    """What is emitted while telemetry is switched on."""
    collected = Emitted()
    instrument(**collected.providers)
    yield collected
    uninstrument()
    collected.tracers.shutdown()
    collected.meters.shutdown()
