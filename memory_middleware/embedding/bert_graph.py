"""A BERT encoder as an ONNX graph, drawn around weights that were published without one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

__all__ = ["bert_graph"]

_OPSET = 17


class _Drawing:
    """Nodes and constants of a graph, named as they come."""

    def __init__(self, weights: Mapping[str, npt.NDArray[Any]], epsilon: float) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._weights = weights
        self._epsilon = epsilon

    def constant(self, value: Any) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(self._weights[name])

    def add(self, operation: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        made = output or f"node_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [made], **attributes))
        return made

    def linear(self, value: str, name: str) -> str:
        product = self.add("MatMul", value, self.constant(self._weights[f"{name}.weight"].T))
        return self.add("Add", product, self.weight(f"{name}.bias"))

    def normal(self, value: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=self._epsilon)

    def gelu(self, value: str) -> str:
        erf = self.add("Erf", self.add("Mul", value, self.constant(np.float32(1 / math.sqrt(2)))))
        half = self.add("Mul", value, self.constant(np.float32(0.5)))
        return self.add("Mul", half, self.add("Add", erf, self.constant(np.float32(1.0))))


def bert_graph(weights: Mapping[str, npt.NDArray[Any]], config: Mapping[str, Any]) -> bytes:
    """Draw the encoder: from ``input_ids`` and ``attention_mask`` to the last hidden state of each token.

    Args:
        weights: The tensors of ``model.safetensors``, by their names in Hugging Face's BERT.
        config: ``config.json`` beside them.
    """
    drawing = _Drawing(weights, config["layer_norm_eps"])
    state = _embedded(drawing)
    masked = _attention_bias(drawing)
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        state = _attention(drawing, state, masked, name, config)
        inner = drawing.gelu(drawing.linear(state, f"{name}.intermediate.dense"))
        outer = drawing.add("Add", drawing.linear(inner, f"{name}.output.dense"), state)
        state = drawing.normal(outer, f"{name}.output.LayerNorm")
    drawing.add("Identity", state, output="last_hidden_state")
    shape = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, config["hidden_size"]])
    graph = helper.make_graph(drawing.nodes, "encoder", inputs, [output], drawing.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    packed: bytes = model.SerializeToString()
    return packed


def _embedded(drawing: _Drawing) -> str:
    words = drawing.add("Gather", drawing.weight("embeddings.word_embeddings.weight"), "input_ids", axis=0)
    shape = drawing.add("Shape", "input_ids")
    one, two = drawing.constant(np.array([1])), drawing.constant(np.array([2]))
    tokens = drawing.add("Slice", shape, one, two)
    places = drawing.weight("embeddings.position_embeddings.weight")
    zero = drawing.constant(np.array([0]))
    here = drawing.add("Slice", places, zero, tokens, zero)
    kind = drawing.constant(drawing._weights["embeddings.token_type_embeddings.weight"][0])
    total = drawing.add("Add", drawing.add("Add", words, here), kind)
    return drawing.normal(total, "embeddings.LayerNorm")


def _attention_bias(drawing: _Drawing) -> str:
    """Give a large negative number for every token that is only padding."""
    mask = drawing.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    padding = drawing.add("Sub", drawing.constant(np.float32(1.0)), mask)
    lowered = drawing.add("Mul", padding, drawing.constant(np.float32(-1e9)))
    return drawing.add("Unsqueeze", lowered, drawing.constant(np.array([1, 2])))


def _attention(drawing: _Drawing, state: str, masked: str, name: str, config: Mapping[str, Any]) -> str:
    heads, hidden = config["num_attention_heads"], config["hidden_size"]
    split = drawing.constant(np.array([0, 0, heads, hidden // heads]))

    def part(which: str, order: list[int]) -> str:
        projected = drawing.linear(state, f"{name}.attention.self.{which}")
        return drawing.add("Transpose", drawing.add("Reshape", projected, split), perm=order)

    query, key, value = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1]), part("value", [0, 2, 1, 3])
    scale = drawing.constant(np.float32(1 / math.sqrt(hidden // heads)))
    scores = drawing.add("Add", drawing.add("Mul", drawing.add("MatMul", query, key), scale), masked)
    mixed = drawing.add("MatMul", drawing.add("Softmax", scores, axis=-1), value)
    joined = drawing.add(
        "Reshape", drawing.add("Transpose", mixed, perm=[0, 2, 1, 3]), drawing.constant(np.array([0, 0, hidden]))
    )
    told = drawing.linear(joined, f"{name}.attention.output.dense")
    return drawing.normal(drawing.add("Add", told, state), f"{name}.attention.output.LayerNorm")
