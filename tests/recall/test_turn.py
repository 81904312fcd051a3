"""One turn of an agent: profile, attachments, gate and budget in one prompt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from memory_middleware import (
    Dialogue,
    InvalidInputError,
    LanceStore,
    MemoryConfig,
    MemoryContentSnapshot,
    MemoryItem,
    MemoryManager,
    MemoryRecord,
    MemoryStatus,
    MemoryType,
    Scope,
    ShortTermItem,
    Source,
    ThreadSummary,
    TokenCounter,
)
from memory_middleware.errors import StoreError
from memory_middleware.recall.asked import asked_of
from memory_middleware.recall.context import build_memory_context_with_stats
from memory_middleware.recall.recalled import worth_telling
from memory_middleware.recall.turn import ComposedTurn, compose_turn
from memory_middleware.sources import Exchange
from memory_middleware.sources.notes import NotesSource

NOW = datetime(2026, 5, 13, 12, tzinfo=UTC)
ANA = Scope("ana", "t1")
ASKED = "how do I deploy my green service?"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LanceStore]:
    with LanceStore.open(tmp_path / "store", embedding=None) as opened:
        memories = opened.memories
        memories.profiles.patch(ANA, MemoryType.USER, {"occupation": "gardener", "custom_rules": ["Speak French."]})
        memories.profiles.patch(
            ANA, MemoryType.WORK, {"occupation": "operator", "work_rules": ["Ask before a deploy."]}
        )
        facts = [
            MemoryRecord.create("ana", f"The green service is deployed with tool {at}", now=NOW) for at in range(4)
        ]
        rule = MemoryRecord.create("ana", "Never deploy the green service on Friday", kind="feedback", now=NOW)
        memories.records.put(ANA, [*facts, rule])
        for at in range(5):
            memories.short_term.append(ANA, ShortTermItem(id=f"r{at}", content=f"round {at}", turn=at))
        yield opened


def compose(store: LanceStore, said: Any = ASKED, **options: Any) -> ComposedTurn:
    return compose_turn(store, options.pop("scope", ANA), said, now=NOW, **{"role": "router", **options})


def attached(*memories: dict[str, Any], **agent: Any) -> dict[str, Any]:
    stores = [
        {"name": "board", "type": "blackboard", "config": {}},
        {"name": "diary", "type": "notes", "config": {"path": "notes"}},
    ]
    return {"memory": stores, "agents": {"helper": {"memories": list(memories), "role": "worker", **agent}}}


def helped(
    store: LanceStore, tmp_path: Path, settings: dict[str, Any], said: Any = ASKED, **options: Any
) -> tuple[ComposedTurn, MemoryManager]:
    config = MemoryConfig.from_dict(settings)
    manager = options.pop("manager", None) or MemoryManager(config, tmp_path, store)
    scope = Scope("ana", "t1", "helper")
    return compose_turn(store, scope, said, config=config, manager=manager, now=NOW, **options), manager


def test_the_router_is_told_the_user_and_the_worker_the_work(store: LanceStore) -> None:
    router, worker = compose(store), compose(store, role="worker")
    assert "gardener" in router.text
    assert "operator" not in router.text
    assert "operator" in worker.text
    assert "<!-- USER_MEMORY_START -->" in router.text
    assert "<!-- WORK_MEMORY_START -->" in worker.text
    for turn in (router, worker):
        assert turn.stats.short_term_count == 3
        assert turn.stats.long_term_count == 2 == len(turn.hits) == len(turn.injected)
        assert turn.stats.other_count == 2
        assert turn.tokens == TokenCounter().count(turn.text)
        assert turn.stats.total_tokens == turn.block.tokens <= 1024
        assert turn.query == ASKED
        assert {entry.status for entry in turn.manifest} == {"kept"}


def test_the_same_memory_gives_the_same_bytes(store: LanceStore) -> None:
    assert compose(store).text == compose(store).text


def test_the_first_round_has_the_profile_alone(store: LanceStore) -> None:
    first = compose(store, [HumanMessage(ASKED)])
    assert "gardener" in first.text
    assert "round" not in first.text
    assert (first.stats.short_term_count, first.stats.long_term_count, first.stats.silence) == (0, 0, "")
    later = compose(store, [HumanMessage("hello"), AIMessage("Hello!"), HumanMessage(ASKED)])
    assert later.stats.short_term_count == 3


def test_a_disabled_profile_is_not_told(store: LanceStore) -> None:
    store.memories.profiles.set_status(ANA, MemoryType.USER, MemoryStatus.DISABLED)
    turn = compose(store, "nice weather today", message_count=0)
    assert "MEMORY_START" not in turn.text
    assert turn.stats.silence == "the first round stays empty"


def test_memory_that_is_off_is_silent_for_all(store: LanceStore, tmp_path: Path) -> None:
    off = {"enabled": False, **attached({"name": "long_term"})}
    turn, _ = helped(store, tmp_path, off)
    assert "MEMORY" not in turn.text
    assert turn.stats.silence == "memory is switched off"


def test_attachments_give_each_its_section_in_a_stable_order(store: LanceStore, tmp_path: Path) -> None:
    settings = attached(
        {"name": "short_term", "top_k": 2},
        {"name": "board"},
        {"name": "diary"},
        {"name": "experience"},
        {"name": "long_term", "top_k": 5},
    )
    config = MemoryConfig.from_dict(settings)
    manager = MemoryManager(config, tmp_path, store)
    notes = manager.sources["diary"]
    assert isinstance(notes, NotesSource)
    notes.notes.save_memory(
        "deploys", "reference", "Deploys", "how we deploy", "The green service needs two approvals."
    )
    notes.notes.save_memory("tone", "feedback", "Tone", "deploy talk", "Be brief about the green service.")
    for at in range(2):
        answer = MemoryContentSnapshot(f"board entry {at}")
        manager.sources["board"].update(Exchange("router", "task", None, answer), ANA)
    turn, _ = helped(store, tmp_path, settings, manager=manager)
    assert [cost.name for cost in turn.block.costs if cost.kept] == [
        "about",
        "work_rules",
        "corrections",
        "corrections:diary",
        "facts",
        "documents:diary",
        "recent",
        "short_term:board",
    ]
    assert turn.text.index("board entry 1") < turn.text.index("board entry 0"), "the newest first"
    assert "## Notes (diary)\n- Deploys — how we deploy: The green service needs two approvals." in turn.text
    assert turn.stats.short_term_count == 2
    assert turn.stats.long_term_count == 5
    assert [hit.record.id for hit in turn.hits] == [hit.record.id for hit in turn.injected]
    ids = {entry.id for entry in turn.manifest if entry.section == "recent"}
    assert ids == {"short_term:r4", "short_term:r3"}, "no item is mistaken for a record"


def test_shares_of_attachments_are_caps(store: LanceStore, tmp_path: Path) -> None:
    long: list[dict[str, Any]] = [{"name": "long_term", "top_k": 5, "budget_share": 0.2}, {"name": "short_term"}]
    turn, _ = helped(store, tmp_path, attached(*long, budget_tokens=200))
    assert turn.block.tokens <= 200
    capped = [entry for entry in turn.manifest if entry.why == "long_term has used its share"]
    assert capped
    assert sum(entry.tokens for entry in turn.manifest if entry.section in ("facts", "corrections")) <= 40
    assert len(turn.injected) < len(turn.hits) == 5
    free, _ = helped(store, tmp_path, attached({"name": "long_term", "top_k": 5}, budget_tokens=400))
    assert len(free.injected) == 5


def test_a_share_bounds_the_profile_and_reading_can_be_forbidden(store: LanceStore, tmp_path: Path) -> None:
    small, _ = helped(store, tmp_path, attached({"name": "profile", "budget_share": 0.02}))
    assert "operator" not in small.text
    whole, _ = helped(store, tmp_path, attached({"name": "profile"}))
    assert "operator" in whole.text
    assert "profile:" not in whole.text, "the profile is told once, from its document"
    unread, _ = helped(store, tmp_path, attached({"name": "profile", "read": False}))
    assert "operator" not in unread.text
    later, _ = helped(store, tmp_path, attached({"name": "profile", "retrieve_stage": ["plan"]}), stage="plan")
    assert "operator" in later.text


def test_records_and_rounds_follow_the_gate_and_other_sources_do_not(store: LanceStore, tmp_path: Path) -> None:
    settings = attached({"name": "long_term"}, {"name": "short_term"}, {"name": "board"})
    config = MemoryConfig.from_dict(settings)
    manager = MemoryManager(config, tmp_path, store)
    manager.sources["board"].update(Exchange("router", "the task", None, None), ANA)
    first, _ = helped(store, tmp_path, settings, manager=manager, message_count=0)
    assert (first.stats.short_term_count, first.stats.long_term_count) == (0, 0)
    assert "the task" in first.text
    plain, _ = helped(store, tmp_path, settings, "nice green weather", manager=manager)
    assert (plain.stats.short_term_count, plain.stats.long_term_count) == (3, 0)


@pytest.mark.parametrize(
    ("threshold", "trigger", "count"), [(-1.0, "keywords", 0), (-1.0, "always", 3), (0.9, "always", 0)]
)
def test_unrelated_records_stay_away(
    store: LanceStore, tmp_path: Path, threshold: float, trigger: str, count: int
) -> None:
    settings = attached({"name": "long_term", "similarity_threshold": threshold})
    settings["inject"] = {"long_term_trigger": trigger}
    turn, _ = helped(store, tmp_path, settings, "what is my favourite opera by Verdi?")
    assert len(turn.hits) == count


class Twice(Source):
    """Recalls the same facts always."""

    tells = "facts"

    def __init__(self, name: str, told: object = None) -> None:
        self.name = name
        self._metadata = {} if told is None else {"tells": told}

    def retrieve(self, *_args: Any, **_options: Any) -> list[MemoryItem]:
        return [MemoryItem("f", f"a fact of {self.name}", dict(self._metadata))]


@pytest.mark.parametrize(
    ("told", "section"),
    [
        (None, "facts:board"),
        ("corrections", "corrections:board"),
        ("dreams", "documents:board"),
        ([], "documents:board"),
    ],
)
def test_a_source_and_its_items_say_what_they_tell(
    store: LanceStore, tmp_path: Path, told: object, section: str
) -> None:
    settings = attached({"name": "board", "budget_share": 0.1}, {"name": "board"})
    manager = MemoryManager(MemoryConfig.from_dict(settings), tmp_path, store, sources={"board": Twice("board", told)})
    turn, _ = helped(store, tmp_path, settings, manager=manager)
    assert turn.text.count("a fact of board") == 1
    assert [entry.section for entry in turn.manifest if entry.id == "board:f"] == [section]


def test_chinese_sections_have_chinese_titles(store: LanceStore, tmp_path: Path) -> None:
    settings = {**attached({"name": "long_term"}, {"name": "board"}), "language": "zh"}
    manager = MemoryManager(MemoryConfig.from_dict(settings), tmp_path, store, sources={"board": Twice("board")})
    turn, _ = helped(store, tmp_path, settings, manager=manager)
    assert "## 共享看板（board）" in turn.text
    assert "## 事实" in turn.text


def test_an_agent_with_attachments_needs_a_manager(store: LanceStore) -> None:
    config = MemoryConfig.from_dict(attached({"name": "long_term"}))
    with pytest.raises(InvalidInputError, match="the agent 'helper' has attachments; pass manager="):
        compose_turn(store, Scope("ana", agent="helper"), ASKED, config=config)


def test_a_source_that_fails_is_told_and_costs_no_turn(store: LanceStore, tmp_path: Path) -> None:
    class Broken(Twice):
        def retrieve(self, *_args: Any, **_options: Any) -> list[MemoryItem]:
            raise OSError("the disk is gone")

    settings = attached({"name": "board"})
    manager = MemoryManager(MemoryConfig.from_dict(settings), tmp_path, store, sources={"board": Broken("board")})
    turn, _ = helped(store, tmp_path, settings, manager=manager)
    assert turn.stats.problems == ("board: the disk is gone",)
    assert "operator" in turn.text


def test_a_profile_that_cannot_be_read_costs_no_turn(store: LanceStore) -> None:
    with store.database.core() as connection:
        connection.exec_driver_sql("UPDATE memories SET content = '{\"nonsense\": 1}'")
    turn = compose(store)
    assert turn.stats.problems[0].startswith("the user profile: ")
    assert turn.stats.short_term_count == 3
    with pytest.raises(InvalidInputError):
        compose(store, config=MemoryConfig(on_error="raise"))


def test_a_store_that_is_gone_costs_no_turn(store: LanceStore) -> None:
    store.close()
    turn = compose(store)
    assert [problem.split(":")[0] for problem in turn.stats.problems] == [
        "long-term memory",
        "short-term memory",
        "the user profile",
    ]
    assert "MEMORY_START" not in turn.text
    with pytest.raises(StoreError):
        compose(store, config=MemoryConfig(on_error="raise"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"role": None}, "nothing says whether the agent None is a router or a worker"),
        ({"role": "boss"}, "role must be 'router' or 'worker', not 'boss'"),
        ({"stage": "never"}, "unknown stage 'never'"),
        ({"said": 7}, "a turn needs a query or a list of messages, not 7"),
        ({"said": [7]}, "a turn needs LangChain messages"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_wrong_arguments_are_named(store: LanceStore, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        compose(store, **options)


def test_a_prompt_of_ones_own_is_filled(store: LanceStore, tmp_path: Path) -> None:
    turn = compose(store, prompt="Be kind.\n<!-- USER_MEMORY -->\nBe brief.")
    assert turn.text.startswith("Be kind.\n<!-- USER_MEMORY_START -->\n")
    assert turn.text.endswith("<!-- USER_MEMORY_END -->\nBe brief.\n")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "router.md").write_text("Route well.\n", encoding="utf-8")
    config = MemoryConfig(prompts_dir=str(tmp_path / "prompts"))
    assert compose(store, config=config).text.startswith("Route well.\n")


@pytest.mark.parametrize(
    ("said", "query", "before"),
    [
        ("hello", "hello", 1),
        (MemoryContentSnapshot("hello"), "hello", 1),
        ([], "", 0),
        ([HumanMessage("a")], "a", 0),
        ([SystemMessage("s"), HumanMessage("a"), AIMessage("b"), ToolMessage("t", tool_call_id="1")], "a", 0),
        ([HumanMessage("a"), AIMessage("b"), HumanMessage([{"type": "text", "text": "c"}])], "c", 2),
        ([AIMessage("a"), AIMessage("do this")], "do this", 1),
        ([{"role": "user", "content": "a"}, ("ai", "b"), ("user", "c")], "c", 2),
    ],
    ids=["text", "snapshot", "nothing", "first", "tools", "blocks", "no user", "plain data"],
)
def test_what_is_asked_is_what_the_user_said_last(said: Any, query: str, before: int) -> None:
    asked = asked_of(said)
    assert (asked.query.text, asked.before) == (query, before)
    assert asked_of(said, 7).before == 7


def test_the_text_of_a_turn_honours_attachments_too(store: LanceStore, tmp_path: Path) -> None:
    settings = attached({"name": "long_term", "top_k": 1})
    config = MemoryConfig.from_dict(settings)
    manager = MemoryManager(config, tmp_path, store)
    scope = Scope("ana", "t1", "helper")
    told = build_memory_context_with_stats(store.memories, scope, ASKED, 4, config, manager=manager)
    assert (told.stats.long_term_count, told.stats.short_term_count, len(told.hits)) == (1, 0, 1)


def test_each_kind_of_memory_can_be_switched_off(store: LanceStore) -> None:
    quiet = MemoryConfig.from_dict({"long_term": {"enabled": False}, "inject": {"short_term_count": 0}})
    turn = compose(store, config=quiet)
    assert (turn.stats.short_term_count, turn.stats.long_term_count, turn.stats.other_count) == (0, 0, 2)
    outside = compose(store, scope=Scope("ana"))
    assert (outside.stats.short_term_count, outside.stats.long_term_count) == (0, 2)


def test_facts_stand_in_the_place_of_what_was_said() -> None:
    def record(content: str, kind: str, round_id: str) -> MemoryRecord:
        return MemoryRecord.create("ana", content, kind=kind, provenance={"round_ids": (round_id,)})

    found = [
        record("well, I live in Lisbon", "dialogue", "r1"),
        record("The user likes tea.", "fact", "r2"),
        record("what a day that was", "dialogue", "r3"),
        record("The user lives in Lisbon.", "fact", "r1"),
        record("so you like tea", "dialogue", "r2"),
        record("said a moment ago", "dialogue", "r4"),
    ]
    assert worth_telling(found, {"r4"}) == [3, 1, 2]


def test_rounds_that_the_agent_can_read_are_not_told_again(tmp_path: Path) -> None:
    rules = MemoryConfig.from_dict({"summarize": {"enabled": True}})
    with LanceStore.open(tmp_path, embedding=None) as store:
        scope = Scope("ana", "t1", "worker")
        for at in range(4):
            identity = Dialogue.id_of_messages("ana", "t1", [f"h{at}"])
            store.memories.short_term.append(scope, ShortTermItem(id=identity, content=f"round {at}"))
        store.memories.summaries.put(scope, ThreadSummary(content="They spoke of tea."))
        said = [
            HumanMessage("round 2", id="h2"),
            AIMessage("ok"),
            HumanMessage("round 3", id="h3"),
            AIMessage("ok"),
            HumanMessage("and what was before that?", id="h4"),
        ]
        text = compose_turn(store, scope, said, role="worker", config=rules).text
    assert "round 1" in text
    assert "round 0" in text
    assert "round 2" not in text
    assert "They spoke of tea." in text


def test_a_summary_in_the_conversation_is_no_question() -> None:
    summary = HumanMessage("a summary", additional_kwargs={"lc_source": "summarization"})
    assert asked_of([HumanMessage("what now?", id="h"), AIMessage("this"), summary]).query.text == "what now?"
