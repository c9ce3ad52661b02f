r"""The LoRA of the judge in GGUF, which llama.cpp reads beside its base model.

    python research/scripts/judge_gguf.py judge.gguf

It needs the packages `gguf`, `safetensors` and `numpy`. The server is then

    llama-server -m qwen2.5-coder-1.5b-instruct-q4_k_m.gguf --lora judge.gguf \
        --alias groundtypes-judge
"""

import json
import re
import sys
from pathlib import Path
from typing import Final

import gguf
import numpy as np
from safetensors.numpy import load_file

FOLDER: Final = Path("research/models/groundtypes-judge/src/groundtypes_judge/model")
#: How the layers of a model of Qwen2's kind are called by PEFT and by llama.cpp.
LAYERS: Final = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
NAME: Final = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(.+)\.lora_([AB])\.weight")


def main(path: str) -> None:
    """Write the file."""
    alpha = json.loads((FOLDER / "adapter_config.json").read_text("utf-8"))["lora_alpha"]
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(alpha))
    for name, weights in load_file(FOLDER / "adapter_model.safetensors").items():
        found = NAME.fullmatch(name)
        if found is None:
            raise ValueError(f"{name} is no part of a LoRA that is known here")
        layer, part, side = found.groups()
        target = f"blk.{layer}.{LAYERS[part]}.weight.lora_{side.lower()}"
        writer.add_tensor(target, np.ascontiguousarray(weights.astype(np.float32)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
