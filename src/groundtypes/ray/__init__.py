"""Audits and data sets on many machines, by Ray: the same outputs as on one machine.

`shards` cuts the input into parts, `pool` sizes the workers for the cluster, and `runner` has every
part processed by one of them, keeps what is finished, and goes on where an earlier run stopped.
`checking` runs `groundtypes check` that way, `building` makes data sets with it, and `auditing`
audits tables.

It needs Ray: `pip install 'groundtypes[ray]'`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from groundtypes.ray.auditing import audit as audit
    from groundtypes.ray.building import build_dataset as build_dataset
    from groundtypes.ray.checking import check as check

__all__ = ["audit", "build_dataset", "check"]

#: Where each name is defined.
_MODULES: Final = {
    "audit": "groundtypes.ray.auditing",
    "build_dataset": "groundtypes.ray.building",
    "check": "groundtypes.ray.checking",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'groundtypes.ray' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
