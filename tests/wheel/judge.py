"""The wheel of the judge's weights, alone: `python -W error tests/wheel/judge.py`."""

import hashlib
import json

from groundtypes_judge import FOLDER

named = {}
for line in (FOLDER / "SHA256SUMS").read_text().splitlines():
    digest, name = line.split()
    named[name] = digest
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name
assert {"adapter_model.safetensors", "adapter_config.json", "judge.json"} == set(named)
settings = json.loads((FOLDER / "judge.json").read_text())
assert (
    settings["base"]
    == json.loads((FOLDER / "adapter_config.json").read_text())["base_model_name_or_path"]
)
assert (FOLDER.parent / "MODEL_CARD.md").is_file()
