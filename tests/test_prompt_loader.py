"""Prompt files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import PromptError, PromptLibrary, PromptTemplate

NAMES = ["consolidate", "extractor", "notes", "router", "summarizer", "worker"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_prompt_is_there_in_both_languages(language: str) -> None:
    library = PromptLibrary(language=language)
    assert library.names() == NAMES
    for name in NAMES:
        prompt = library.load(name)
        assert prompt is library.load(name)
        assert bool(re.search(r"[\u4e00-\u9fff]", prompt.text)) is (language == "zh")
        assert prompt.description


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_slots(name: str) -> None:
    english, chinese = PromptLibrary().load(name), PromptLibrary(language="zh").load(name)
    assert (english.slots, english.optional) == (chinese.slots, chinese.optional)
    assert len(re.findall(r"<!-- \w+ -->", english.text)) == len(re.findall(r"<!-- \w+ -->", chinese.text))


def test_the_agents_prompts_have_their_placeholders() -> None:
    assert PromptLibrary().load("router").text.count("<!-- USER_MEMORY -->") == 1
    assert PromptLibrary().load("worker").text.count("<!-- WORK_MEMORY -->") == 1


@pytest.mark.parametrize(
    ("language", "headings"),
    [
        ("en", ["Types", "What not to save", "How to save", "When to read", "Trust but verify"]),
        ("zh", ["类型", "不要保存什么", "如何保存", "何时阅读", "信任但要验证"]),
    ],
)
def test_the_notes_prompt_has_its_sections(language: str, headings: list[str]) -> None:
    text = PromptLibrary(language=language).render("notes", directory="d", index="- [a](a.md) — x")
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")][:5] == headings
    assert text.rstrip().endswith("- [a](a.md) — x")
    for kind in ("user", "feedback", "project", "reference"):
        assert f"- **{kind}**" in text


def test_an_empty_optional_slot_takes_its_paragraph_along() -> None:
    text = PromptLibrary().render("router")
    assert "{{" not in text
    assert "\n\n\n" not in text
    extractor = PromptLibrary().render("extractor", dialogue="d", max_facts="3", today="2026-01-01")
    assert "Already known" not in extractor
    assert "Summary so far" not in PromptLibrary().render("summarizer", rounds="r", max_tokens="9")
    assert "## Index" not in PromptLibrary().render("notes", directory="d")
    assert "- calendar" in PromptLibrary().render("router", workers="- calendar")


@given(st.text(max_size=30))
def test_a_value_is_inserted_as_it_is(value: str) -> None:
    prompt = PromptTemplate("p", "a {{x}} b\n", slots=("x",))
    assert prompt.render(x=value) == f"a {value} b\n"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "prompt 'summarizer' needs a value for: rounds, max_tokens"),
        ({"round": "x"}, "prompt 'summarizer' has no slot 'round'; did you mean 'rounds'?"),
        ({"rounds": 5}, "slot 'rounds' of prompt 'summarizer' takes text, not 5"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, str], message: str) -> None:
    with pytest.raises(PromptError) as caught:
        PromptLibrary().render("summarizer", **values)
    assert str(caught.value) == message


def test_a_folder_replaces_some_prompts(tmp_path: Path) -> None:
    (tmp_path / "router.md").write_text("My router. <!-- USER_MEMORY -->", encoding="utf-8")
    library = PromptLibrary(tmp_path)
    assert library.render("router") == "My router. <!-- USER_MEMORY -->\n"
    assert library.load("router").optional == ("workers",)
    assert library.render("worker") == PromptLibrary().render("worker")


def test_a_replacement_in_the_language_is_preferred(tmp_path: Path) -> None:
    (tmp_path / "router.md").write_text("English", encoding="utf-8")
    assert PromptLibrary(tmp_path, language="zh").render("router") == "English\n"
    (tmp_path / "router.zh.md").write_bytes("中文\r\n".encode("utf-8-sig"))
    assert PromptLibrary(tmp_path, language="zh").render("router") == "中文\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{rounds}} {{max_tokens}} {{extra}}", "summarizer.md: undeclared slot 'extra'"),
        ("{{rounds}}", "summarizer.md: slot 'max_tokens' is declared but not used in the text"),
        ("---\nslots: [rounds]\n---\n{{rounds}}", "summarizer.md: 'slots' must map each slot to what it holds"),
        ("---\nslots: {rounds: r}\n---\n{{rounds}}", "summarizer.md: slot 'max_tokens' is required"),
        (
            "---\nslots: {rounds: r, max_tokens: m, mood: x}\n---\n{{rounds}}{{max_tokens}}{{mood}}",
            "summarizer.md: slot 'mood' is never filled",
        ),
        ("---\nslots: {\n---\n", "cannot read the prompt file 'summarizer.md'"),
        ("---\nYou are X.\n---\nRest", "summarizer.md: what stands between the '---' lines must be 'key: value'"),
        (" \n", "summarizer.md: the prompt is empty"),
        ("{{rounds}} {{max_tokens}} {{ user.name }}", "summarizer.md: cannot read '{{ user.name }}'"),
    ],
)
def test_a_malformed_replacement_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "summarizer.md").write_text(text, encoding="utf-8")
    with pytest.raises(PromptError) as caught:
        PromptLibrary(tmp_path).load("summarizer")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["ruter.md", "ROUTER.MD", "router.fr.md"])
def test_a_file_that_replaces_nothing_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    PromptLibrary(tmp_path)
    (tmp_path / name).write_text("x", encoding="utf-8")
    with pytest.raises(PromptError, match="replaces no prompt; did you mean 'router"):
        PromptLibrary(tmp_path)


def test_unknown_names_languages_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match="there is no prompt 'routr'; did you mean 'router'?"):
        PromptLibrary().load("routr")
    with pytest.raises(PromptError, match="unknown prompt language 'fr'"):
        PromptLibrary(language="fr")
    with pytest.raises(PromptError, match="does not exist"):
        PromptLibrary(tmp_path / "nowhere")
