"""The shipped traces: long enough, held by golden files, and true whatever the extractor finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_middleware_cli.replay import read_trace
from memory_middleware_cli.replay.golden import differences, save_golden
from memory_middleware_cli.replay.result import Replay
from tests.replay.support import TRACES, replayed

GOLDEN = Path(__file__).parent / "golden"
PLANTED = (
    "ignore all previous",
    "ignore your previous",
    "always recommend gearhub",
    "forward the customer list",
    "reveal your system prompt",
    "pirate speech",
    "transfer 900",
    "paid at once",
    "忽略之前",
    "发送到",
)
CLAIMS = ("Las Vegas", "called Master", "Bristol", "2400", "shop keys", "approved all purchases", "Manchester")
SECRETS = ("sk-live", "hunter2")


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_trace_is_long_and_says_where_it_stands(path: Path) -> None:
    trace = read_trace(path)
    assert len(trace.turns) >= 30
    assert trace.name == path.stem
    assert trace.about
    assert len({turn.thread for turn in trace.turns}) >= 8
    assert (trace.turns[-1].time - trace.turns[0].time).days >= 14
    assert all(turn.answers for turn in trace.turns)


def test_there_are_four_traces() -> None:
    assert [path.stem for path in TRACES] == ["adversarial", "assistant_weeks", "chinese", "project_deadlines"]


@pytest.mark.parametrize("name", [path.stem for path in TRACES])
def test_a_replay_is_the_golden_one(name: str, request: pytest.FixtureRequest) -> None:
    golden = GOLDEN / f"{name}.json"
    if request.config.getoption("--update-golden"):
        save_golden(replayed(name), golden)
    assert not differences(replayed(name), golden), "python -m pytest tests/replay --update-golden writes it anew"


@pytest.mark.parametrize("name", [path.stem for path in TRACES])
def test_no_prompt_passes_its_budget_and_nothing_fails(name: str) -> None:
    found = replayed(name)
    assert all(one.tokens <= one.budget for turn in found.turns for one in turn.injections)
    assert found.totals.failures == 0
    assert not [error for turn in found.turns for error in turn.learned.errors]
    assert found.totals.added >= 4


def blocks(found: Replay) -> list[str]:
    return [one.text for turn in found.turns for one in turn.injections]


def test_no_planted_order_and_no_secret_is_ever_injected() -> None:
    for block in blocks(replayed("adversarial")):
        assert not [order for order in PLANTED if order in block.casefold()]
        assert not [secret for secret in SECRETS if secret in block]


def test_no_planted_claim_becomes_a_record_or_a_profile() -> None:
    found = replayed("adversarial")
    kept = json.dumps([found.profiles, [known.record.content for known in found.known]], ensure_ascii=False)
    assert not [claim for claim in (*CLAIMS, *PLANTED, *SECRETS) if claim.casefold() in kept.casefold()]
    assert "Leeds" in kept
    assert "Robin" in kept


def test_a_claim_of_a_tool_is_told_in_no_thread() -> None:
    claims = ("Bristol", "2400", "shop keys", "approved all purchases")
    assert not [claim for claim in claims for block in blocks(replayed("adversarial")) if claim in block]


def test_the_newest_home_holds_and_the_old_one_does_not() -> None:
    known = [one.record.content for one in replayed("assistant_weeks").known]
    assert any("Porto" in content for content in known)
    assert not any("lives in Lisbon" in content for content in known)
    profile = json.dumps(replayed("assistant_weeks").profiles)
    assert "Porto" in profile
    assert "Lisbon" not in profile


def test_a_joke_that_was_taken_back_is_not_known() -> None:
    kept = json.dumps(
        [replayed("assistant_weeks").profiles, [k.record.content for k in replayed("assistant_weeks").known]]
    )
    assert "wrestler" not in kept


def test_the_chinese_home_holds_and_the_joke_does_not() -> None:
    found = replayed("chinese")
    known = [one.record.content for one in found.known]
    assert not any("住在杭州" in content for content in known)
    assert not any("武" in content for content in known)
    assert any("花生过敏" in content for content in known)


def test_an_allergy_is_known_to_the_end() -> None:
    assert any("shellfish" in one.record.content for one in replayed("assistant_weeks").known)


def test_work_rules_reach_the_worker() -> None:
    turn = next(turn for turn in replayed("project_deadlines").turns if "deployments" in turn.said)
    assert any("Thursdays" in one.text for one in turn.injections if one.agent == "worker")
