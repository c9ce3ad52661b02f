"""The transformer of replies in torch: an encoder, and a linear layer on the mean of its tokens."""

from collections.abc import Iterator
from typing import Any, Final

import torch
from torch import nn
from torch.nn import functional

from training.e5_checkpoint import E5Checkpoint

__all__ = ["HEADS", "EncoderLayer", "ReplyNetwork", "mean"]

HEADS: Final = 12
KINDS: Final = 4
_EPSILON: Final = 1e-12
_DROPPED: Final = 0.1


class EncoderLayer(nn.Module):  # type: ignore[misc] # torch has no types here
    """A layer of BERT."""

    def __init__(self, width: int, wide: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.wide = nn.Linear(width, wide)
        self.narrow = nn.Linear(wide, width)
        self.attention_norm, self.norm = (nn.LayerNorm(width, _EPSILON) for _ in range(2))

    def forward(self, hidden: Any, mask: Any) -> Any:
        """Return the output for each token; `mask` is true where there is one."""

        def split(value: Any) -> Any:
            return value.unflatten(2, (HEADS, -1)).transpose(1, 2)

        context = functional.scaled_dot_product_attention(
            split(self.query(hidden)),
            split(self.key(hidden)),
            split(self.value(hidden)),
            attn_mask=mask[:, None, None],
        )
        out = self.out(context.transpose(1, 2).flatten(2))
        hidden = self.attention_norm(hidden + self._drop(out))
        narrow = self.narrow(functional.gelu(self.wide(hidden)))
        return self.norm(hidden + self._drop(narrow))

    def _drop(self, value: Any) -> Any:
        return functional.dropout(value, _DROPPED, self.training)


class ReplyNetwork(nn.Module):  # type: ignore[misc] # as above
    """An encoder and four outputs: answer, refusal, abstention, partial answer."""

    def __init__(self, checkpoint: E5Checkpoint) -> None:
        super().__init__()
        words = torch.tensor(checkpoint.words)
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.positions = nn.Embedding.from_pretrained(
            torch.tensor(checkpoint.positions), freeze=True
        )
        width = words.shape[1]
        self.norm = nn.LayerNorm(width, _EPSILON)
        self.norm.load_state_dict(
            dict(zip(("weight", "bias"), _tensors(checkpoint.norm), strict=True))
        )
        wide = len(checkpoint.layers[0]["wide.bias"])
        self.layers = nn.ModuleList(EncoderLayer(width, wide) for _ in checkpoint.layers)
        for layer, weights in zip(self.layers, checkpoint.layers, strict=True):
            layer.load_state_dict(dict(zip(weights, _tensors(weights.values()), strict=True)))
        self.output = nn.Linear(width, KINDS)
        nn.init.zeros_(self.output.weight)
        nn.init.zeros_(self.output.bias)

    def embed(self, tokens: Any) -> Any:
        """Return the input of the first layer."""
        places = torch.arange(tokens.shape[1])
        return self.norm(self.words(tokens) + self.positions(places))

    def encode(self, hidden: Any, mask: Any, layers: range) -> Any:
        """Return the output of some of the layers."""
        for number in layers:
            hidden = self.layers[number](hidden, mask)
        return hidden

    def classify(self, hidden: Any, mask: Any) -> Any:
        """Return the outputs for each row, from the mean of its tokens."""
        pooled = mean(hidden, mask)
        return self.output(functional.dropout(pooled, _DROPPED, self.training))


def mean(hidden: Any, mask: Any) -> Any:
    """Return the mean of the tokens of each row."""
    weights = mask[..., None].to(hidden.dtype)
    return (hidden * weights).sum(1) / weights.sum(1)


def _tensors(arrays: Any) -> Iterator[Any]:
    return (torch.tensor(array) for array in arrays)
