"""A trace runs through a real graph, in its own time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_middleware import MemoryConfig
from memory_middleware_cli.replay import Trace, read_trace, replay
from memory_middleware_cli.replay.graph import Player, build_graph
from memory_middleware_cli.replay.memory import TracedMemory, config_in
from memory_middleware_cli.replay.result import Replay, TurnResult
from tests.replay.support import said, write_lines

CALL = {"id": "c1", "name": "search", "args": {"query": "tea"}}
ROWS = [
    {"trace": "tiny", "owner": "ana"},
    said("user", "I live in Lisbon and my wife is Marta.", thread="a", time="2026-03-02T09:00:00+00:00"),
    said("assistant", "Good to know.", thread="a", agent="router"),
    said("user", "My dog is called Bruno.", thread="a", time="2026-03-02T09:01:00+00:00"),
    said("assistant", "Hello Bruno.", thread="a", agent="router"),
    said("user", "I live in Porto now, we moved.", thread="b", time="2026-03-12T09:00:00+00:00"),
    said("assistant", "Welcome to Porto.", thread="b"),
    said("user", "Find me some tea.", thread="b", time="2026-03-12T09:02:00+00:00"),
    said("assistant", "", thread="b", tool_calls=[CALL]),
    said("tool", "green tea", thread="b", tool_call_id="c1", name="search"),
    said("assistant", "There is green tea.", thread="b"),
    said("user", "What is my dog called?", thread="b", time="2026-03-12T09:03:00+00:00"),
    said("assistant", None, thread="b"),
]


def tiny(folder: Path, *rows: dict[str, Any], **config: Any) -> Replay:
    trace = read_trace(write_lines(folder / "tiny.jsonl", *(rows or ROWS)))
    return replay(trace, MemoryConfig.from_dict(config) if config else None)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return tiny(tmp_path_factory.mktemp("trace"))


def contents(told: Any) -> list[str]:
    return [one.content for one in told]


def test_the_recorded_answers_are_said_and_the_missing_one_is_quoted_from_memory(found: Replay) -> None:
    answers = [turn.answer for turn in found.turns]
    assert answers[:4] == ["Good to know.", "Hello Bruno.", "Welcome to Porto.", "There is green tea."]
    assert "Bruno" in answers[4]
    assert any("Bruno" in told.content for told in found.turns[4].referenced)


def test_a_turn_of_the_router_asks_no_worker(found: Replay) -> None:
    agents = [[one.agent for one in turn.injections] for turn in found.turns]
    assert agents == [["router"], ["router"], ["router", "worker"], ["router", "worker"], ["router", "worker"]]


def test_a_thread_that_fell_quiet_is_learned_from_before_the_next_speaks(found: Replay) -> None:
    assert "The user lives in Lisbon." in contents(found.turns[1].learned.added)
    assert "Lisbon" in found.turns[2].injections[0].text
    assert "The user lives in Lisbon." in contents(found.turns[-1].learned.superseded)


def test_what_is_known_in_the_end_tells_its_sentence_and_its_time(found: Replay) -> None:
    why = {known.record.content: known for known in found.known}
    assert "The user lives in Lisbon." not in why
    home = why["The user lives in Porto."]
    assert home.said.startswith("I live in Porto now")
    assert (f"{home.time:%Y-%m-%d}", home.thread) == ("2026-03-12", "b")


def test_weights_follow_use(found: Replay) -> None:
    used = {told.id for told in found.turns[4].referenced}
    last, before = found.turns[4].weights, found.turns[3].weights
    assert used & set(last)
    assert all(last[name] > before[name] for name in used & set(last))


def test_totals_count_what_the_turns_tell(found: Replay) -> None:
    totals = found.totals
    assert (totals.turns, totals.threads, totals.days, totals.failures) == (5, 2, 11, 0)
    assert totals.tokens == sum(turn.tokens for turn in found.turns) > 0
    assert totals.most_tokens <= totals.budget == 1024
    assert totals.known == len(found.known)
    assert 0 < totals.referenced_share <= 1
    assert totals.tokens_a_turn == totals.tokens / 5


def test_twice_the_same_trace_is_twice_the_same_replay(found: Replay, tmp_path: Path) -> None:
    again = tiny(tmp_path)
    assert again.turns == found.turns
    assert again.known == found.known


def test_a_budget_is_never_passed(tmp_path: Path) -> None:
    small = tiny(tmp_path, inject={"budget": {"total_tokens": 60}}, agents={"router": {"budget_tokens": 40}})
    budgets = {one.agent: one.budget for turn in small.turns for one in turn.injections}
    assert budgets == {"router": 40, "worker": 60}
    assert all(one.tokens <= one.budget for turn in small.turns for one in turn.injections)
    assert any(one.dropped for turn in small.turns for one in turn.injections)


def test_what_nobody_needs_is_archived_in_the_time_of_the_trace(tmp_path: Path) -> None:
    rows = [*ROWS[:3], said("user", "Hello again.", thread="c", time="2026-06-30T09:00:00+00:00")]
    gone = tiny(tmp_path, *rows, long_term={"archive_after": 0, "weights": {"half_life_days": 10}})
    assert "The user lives in Lisbon." in contents(gone.turns[1].learned.archived)
    assert gone.totals.archived >= 1
    assert not gone.known


def test_an_empty_memory_is_silent(tmp_path: Path) -> None:
    quiet = tiny(tmp_path, said("user", "Hello."), said("user", "Fine weather today."))
    assert [turn.answer for turn in quiet.turns] == ["Noted.", "Noted."]
    assert quiet.turns[0].injections[0].silence
    assert (quiet.totals.referenced_share, quiet.known, quiet.owner) == (0.0, (), "owner")


def test_every_turn_is_told_when_it_is_done(tmp_path: Path) -> None:
    seen: list[TurnResult] = []
    trace = read_trace(write_lines(tmp_path / "tiny.jsonl", *ROWS))
    made = replay(trace, owner="eve", done=seen.append)
    assert seen == list(made.turns)
    assert made.owner == "eve"


def test_the_memory_of_the_configuration_is_not_touched(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    tiny(tmp_path, *ROWS[:3], storage={"path": str(mine), "sql_url": f"sqlite:///{tmp_path / 'mine.db'}"})
    assert not mine.exists()
    assert not (tmp_path / "mine.db").exists()


def test_the_block_reaches_the_model_and_not_the_thread(tmp_path: Path) -> None:
    trace = read_trace(write_lines(tmp_path / "tiny.jsonl", *ROWS))
    run: Any = {"configurable": {"thread_id": "a", "user_id": "ana"}}
    with TracedMemory.open(config_in(MemoryConfig(), tmp_path / "store")) as memory:
        player = Player()
        graph = build_graph(memory, player)
        for turn in trace.turns[:2]:
            memory.moment = turn.time
            player.load(turn)
            state = graph.invoke({"messages": [turn.asked]}, run)
        assert memory.composed[-1][1].block.text in player.router.last_prompt
        assert "MEMORY_START" not in str(state)


def test_a_trace_without_turns_ends_at_once() -> None:
    nothing = replay(Trace("nothing", ()))
    assert (nothing.turns, nothing.known, nothing.totals.turns) == ((), (), 0)


def test_a_model_that_cannot_be_reached_is_told_and_nothing_is_learned(tmp_path: Path) -> None:
    gone = {"enabled": True, "provider": "openai", "model": "m", "api_key": "k", "base_url": "http://127.0.0.1:9/v1"}
    failed = tiny(tmp_path, *ROWS[:3], memory_agent={**gone, "timeout": 0.2})
    assert failed.turns[0].learned.errors
    assert not failed.known


def test_a_tool_whose_result_was_not_recorded_says_so(tmp_path: Path) -> None:
    rows = [said("user", "Find tea."), said("assistant", "", tool_calls=[CALL])]
    found = tiny(tmp_path, *rows)
    assert found.turns[0].answer == "Noted."


def test_a_player_without_a_turn_quotes_memory() -> None:
    assert Player().worker.invoke("Who am I?").text == "I remember nothing about that."
    assert Player().router.invoke("Hello").tool_calls[0]["name"] == "hand_over"
    assert Player().results([]) == []
