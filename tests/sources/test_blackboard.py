"""Blackboards: the newest entries for all nodes of an owner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import MemoryContentSnapshot
from memory_middleware.sources.blackboard import BlackboardMemory
from tests.sources.support import ANN, NOW, summaries, turn
from tests.support import brief, cases, contains


@pytest.mark.parametrize("case", cases("002_devall/blackboard"), ids=brief)
def test_a_recorded_board_is_the_same(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    board = BlackboardMemory("board", path=path, max_items=case["max_items"], clock=lambda: NOW)
    for write in case["writes"]:
        board.update(turn(write["inputs_text"], write["output"], write["role"]), ANN)
    contents = json.loads(path.read_text(encoding="utf-8"))
    for entry, expected in zip(contents, case["contents"], strict=True):
        assert contains(entry, {**expected, "id": entry["id"]})
        assert entry["id"].startswith("bb_")
        assert len(entry["id"]) == len(expected["id"])
    assert len({entry["id"] for entry in contents}) == len(contents)
    found = board.retrieve(MemoryContentSnapshot("anything"), ANN, top_k=case["top_k"], threshold=0.99)
    assert [item.content_summary for item in found] == case["retrieved_summaries"]


def test_a_turn_without_an_answer_is_told_by_what_it_was_given() -> None:
    board = BlackboardMemory("board")
    board.update(turn("no answer"), ANN)
    board.update(turn("empty answer", "  "), ANN)
    board.update(turn(" ", ""), ANN)
    assert summaries(board) == ["no answer", "empty answer"]


def test_attachments_are_listed_without_their_data() -> None:
    attachment = {"attachment_id": "f1", "name": "a.png", "mime_type": "image/png", "size": 3, "data_uri": "data:,abc"}
    exchange = turn("look", "seen")
    assert exchange.inputs
    exchange.inputs.blocks.append({"role": "user", "block": {"type": "image", "attachment": attachment}})
    board = BlackboardMemory("board")
    board.update(exchange, ANN)
    (item,) = board.retrieve(MemoryContentSnapshot(""), ANN, top_k=3)
    wanted = {key: value for key, value in attachment.items() if key != "data_uri"}
    assert item.metadata["attachments"] == [{"role": "user", **wanted}]
    assert item.input_snapshot == exchange.inputs
