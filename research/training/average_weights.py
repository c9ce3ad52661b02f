"""Average the weights of two checkpoints, so that the second forgets less of the first.

    python -m training.average_weights FIRST SECOND --share 0.6 --out FOLDER

SECOND may be the folder of a run that was stopped: then the averaged weights of its last state
count. `--share` is the share of SECOND.
"""

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file, save_file

__all__ = ["average", "main"]

_WEIGHTS: Final = "model.safetensors"


def average(first: Path, second: Path, share: float, out: Path) -> None:
    """Write a checkpoint with the weights `(1 - share) * first + share * second`.

    Raises:
        SystemExit: The two have different weights.
    """
    one, other = load_file(first / _WEIGHTS), _read(second)
    if not one.keys() <= other.keys():
        raise SystemExit(f"{second} lacks weights of {first}")
    out.mkdir(parents=True, exist_ok=True)
    for path in first.iterdir():
        if path.name != _WEIGHTS:
            shutil.copyfile(path, out / path.name)
    mixed = {
        name: torch.lerp(value.float(), other[name].float(), share).contiguous()
        for name, value in one.items()
    }
    save_file(mixed, out / _WEIGHTS, metadata={"format": "pt"})


def _read(folder: Path) -> dict[str, Any]:
    if (folder / _WEIGHTS).exists():
        return dict(load_file(folder / _WEIGHTS))
    return dict(torch.load(folder / "state.pt", weights_only=True)["averaged"])


def main(argv: Sequence[str] | None = None) -> None:
    """Average as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    average(args.first, args.second, args.share, args.out)


if __name__ == "__main__":
    main()
