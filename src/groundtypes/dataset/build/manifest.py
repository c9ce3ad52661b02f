"""The description of a data set: a manifest for programs, a card for people and for the hub.

Neither holds a time or a path of this machine beyond the input's name, so that the same run gives
the same bytes.
"""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from groundtypes.integrations.recordings.calls import model_name

_PACKAGES: Final = ("groundtypes", "pydantic", "onnxruntime")
_ROW_COUNTS: Final = ("rows", "clean", "repaired", "rejected", "review", "unjudged", "broken")
_NO_LICENCE: Final = (
    "No licence was named. The rows hold the references, the questions and an LLM's answers: "
    "whether they may be shared and trained on depends on the rights in the references and on the "
    "terms of the LLM's provider."
)


def build_manifest(
    source: Any,
    options: Mapping[str, Any],
    summary: Mapping[str, Any],
    written: Mapping[str, Any],
    *,
    asking: Mapping[str, Any] | None,
    licence: str | None,
) -> dict[str, Any]:
    """Return the manifest of a data set, without its `files`.

    `summary` is what `JobResult.to_dict` returned for the audited lines, `written` what
    `DatasetFiles.write` returned, and `asking` how many questions were asked, if any were.
    """
    has_name = isinstance(source, str | Path)
    return {
        "format": 1,
        "versions": _versions(),
        "input": {
            "name": Path(source).name if has_name else type(source).__name__,
            **summary["input"],
        },
        "options": dict(options),
        "counts": {
            **{key: summary[key] for key in _ROW_COUNTS},
            **written["counts"],
        },
        "groups": written["groups"],
        "asking": asking,
        "llms": written["llms"],
        "pairs": written["pairs"],
        "verdicts": summary["verdicts"],
        "faulty fields": summary["fields"],
        "licence": licence,
    }


def _versions() -> dict[str, str]:
    """Return the versions of what may change the outcome."""
    installed = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed


def object_name(thing: Any) -> str:
    """Return `module:name` of a class or function; for anything else, a hash of its `repr`."""
    if getattr(thing, "__module__", "") and getattr(thing, "__qualname__", ""):
        return model_name(thing)
    return f"{type(thing).__name__} {hashlib.sha256(repr(thing).encode()).hexdigest()[:12]}"


def card(manifest: Mapping[str, Any], files: Sequence[str]) -> str:
    """Return the card of a data set; its head names the files of each kind, by split."""
    configs = ""
    for kind, names in groupby(files, lambda name: name.partition("/")[0]):
        configs += f"- config_name: {kind}\n  data_files:\n"
        for name in names:
            configs += f"  - split: {Path(name).stem}\n    path: {name}\n"
    head = f"---\nconfigs:\n{configs}---\n\n" if configs else ""
    counts = manifest["counts"].items()
    return (
        f"{head}# A data set of checked answers\n\n"
        f"Made with groundtypes {manifest['versions'].get('groundtypes', '')}; `manifest.json` "
        "says of what and how.\n\n"
        + "".join(f"- {name}: {count}\n" for name, count in counts if isinstance(count, int))
        + f"\n## Licence\n\n{manifest['licence'] or _NO_LICENCE}\n"
    )
