"""The faults of a run in forms that other programs read: SARIF, JUnit, GitHub's, and JSON."""

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal
from xml.etree import ElementTree as ET

from groundtypes import __version__
from groundtypes.cli.baselines import Baseline, fingerprint
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.line_faults import LineFault
from groundtypes.text.message_excerpts import clip

Format = Literal["text", "json", "sarif", "github", "junit"]

_LONGEST: Final = 2_000
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME: Final = "https://github.com/groundtypes/groundtypes"
#: Characters that XML cannot hold.
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_JSON: Final = re.compile("[\ud800-\udfff]")


def formatted(
    kind: Format,
    file: str,
    faults: Sequence[LineFault],
    counts: RunCounts,
    baseline: Baseline | None = None,
) -> str:
    """Return the faults of a file of rows as a text of this kind."""
    compared = baseline if baseline is not None and baseline.compares else None
    if kind == "sarif":
        return _json(_sarif(file, faults))
    if kind == "junit":
        failures = counts.rejected - (0 if compared is None else compared.rows)
        return _junit(file, faults, counts, failures)
    if kind == "github":
        return "\n".join(_annotation(file, fault) for fault in faults)
    listed = [
        {"line": fault.line, "place": fault.place, "slug": fault.slug, "message": fault.message}
        | ({"state": fault.state} if fault.state else {})
        for fault in faults
    ]
    names = () if compared is None else ("old", "new", "gone")
    states = {"baseline": {name: getattr(compared, name) for name in names}} if names else {}
    return _json({"file": file, **counts.to_dict(), **states, "faults": listed})


def _json(data: Any) -> str:
    # In ASCII, which is the same text in every encoding of standard output.
    text = _NOT_JSON.sub("\ufffd", json.dumps(data, ensure_ascii=False))
    return json.dumps(json.loads(text), indent=2)


def _sarif(file: str, faults: Sequence[LineFault]) -> dict[str, Any]:
    met: Counter[str] = Counter()
    rules = [{"id": slug} for slug in dict.fromkeys(fault.slug for fault in faults)]
    results = [
        {
            "ruleId": fault.slug,
            "level": "note" if fault.is_doubt else "error",
            "message": {"text": f"{fault.place}: {clip(fault.message, _LONGEST)}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(file)},
                        "region": {"startLine": max(1, fault.line)},
                    }
                }
            ],
            **_identity(fault, met),
        }
        for fault in faults
    ]
    driver = {
        "name": "groundtypes",
        "version": __version__,
        "informationUri": _HOME,
        "rules": rules,
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _identity(fault: LineFault, met: Counter[str]) -> dict[str, Any]:
    """Return what tells whether two runs have found the same fault, and whether this is new."""
    identity: dict[str, Any] = {"baselineState": fault.state} if fault.state else {}
    if name := fingerprint(fault):
        met[name] += 1
        known_by = f"{name}:{met[name]}"
        # GitHub reads only the second.
        keys = ("groundtypesFault/v1", "primaryLocationLineHash")
        identity["partialFingerprints"] = dict.fromkeys(keys, known_by)
    return identity


def _uri(file: str) -> str:
    from urllib.parse import quote

    path = file.replace("\\", "/") if os.name == "nt" else file
    return quote(path, safe="/", errors="replace")  # before a colon would be a scheme


def _annotation(file: str, fault: LineFault) -> str:
    """Return a workflow command of GitHub, in which some characters are escaped."""
    text = _escaped(f"{fault.place}: {clip(fault.message, _LONGEST)}")
    name = _escaped(file, ":,")
    level = "notice" if fault.is_doubt else "error"
    return f"::{level} file={name},line={fault.line},title={_escaped(fault.slug, ':,')}::{text}"


def _escaped(text: str, more: str = "") -> str:
    text = "".join(
        character if character.isprintable() or character in "\r\n" else " "
        for character in text
        if character.isprintable() or character.isspace()
    )
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _junit(file: str, faults: Sequence[LineFault], counts: RunCounts, failures: int) -> str:
    """Return a test suite in which each row is a test; rows without faults are only counted."""
    lines: dict[int, list[LineFault]] = {}
    for fault in faults:
        lines.setdefault(fault.line, []).append(fault)
    suite = ET.Element(
        "testsuite",
        name=_xml(file),
        tests=str(counts.rows),
        failures=str(failures),
        errors=str(counts.broken + counts.unjudged),
        skipped=str(counts.review),
    )
    for line, of_line in lines.items():
        case = ET.SubElement(suite, "testcase", classname=_xml(file), name=f"line {line}")
        for fault in of_line:
            message = _xml(f"{fault.place}: {clip(fault.message, _LONGEST)}")
            # As they are counted.
            kind = "error" if fault.is_mistake else "skipped" if fault.is_doubt else "failure"
            ET.SubElement(case, kind, type=_xml(fault.slug), message=message)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=False)
    return text.decode("ascii")


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
