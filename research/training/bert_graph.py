"""A BERT cross-encoder as an ONNX graph."""

from training.encoder_graph import Encoder, LayerNames
from training.onnx_graph import Graph

__all__ = ["Bert"]


class Bert(Encoder):
    """A `BertForSequenceClassification`: the weights and sizes of its checkpoint."""

    inputs = ("input_ids", "attention_mask", "token_type_ids")
    prefix = "bert"
    layer_names = LayerNames(
        query="attention.self.query",
        key="attention.self.key",
        value="attention.self.value",
        out="attention.output.dense",
        attention_norm="attention.output.LayerNorm",
    )

    def embed(self, graph: Graph) -> str:
        """Return the normalised sum of the embeddings of words, token types and positions."""
        tables = {
            name: self.weight(f"bert.embeddings.{name}_embeddings.weight")
            for name in ("word", "position", "token_type")
        }
        words = graph.lookup("words", tables["word"], "input_ids")
        types = graph.add("Gather", graph.constant("types", tables["token_type"]), "token_type_ids")
        shape = graph.add("Shape", "input_ids", start=1, end=2)
        positions = graph.add(
            "Slice",
            graph.constant("positions", tables["position"]),
            graph.numbers(0),
            shape,
            graph.numbers(0),
        )
        total = graph.add("Add", graph.add("Add", words, types), positions)
        return self.normalise(graph, total, "bert.embeddings.LayerNorm")

    def attention_bias(self, graph: Graph, padding: str) -> tuple[str, str]:  # noqa: ARG002 # other encoders add to it
        """Return the padding, which is the same for every token."""
        return padding, padding

    def classify(self, graph: Graph, first: str) -> str:
        """Return the logits from the pooled first token."""
        # Not quantised: these layers are small, and their precision decides the label.
        pooled = graph.add("Tanh", graph.plain(first, "pooler", *self.linear("bert.pooler.dense")))
        return graph.plain(pooled, "classifier", *self.linear("classifier"))
