"""The configuration tree: where it comes from and what it says when something is wrong."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from memory_middleware import ConfigError, InvalidInputError, MemoryConfig, config
from memory_middleware.config import ConfigModel, Stage
from memory_middleware.config.field_specs import FieldSpec

store_kinds = importlib.import_module("memory_middleware.config.store_kinds")

SIMPLE = {"name": "a", "type": "simple", "config": {}}
FULL = """
language: zh
memory:
  - name: convo_cache
    type: simple
    config:
      memory_path: ${CACHE:-auto}
      embedding: {provider: openai, model: text-embedding-3-small, api_key: "${KEY}"}
agents:
  answer:
    memories:
      - {name: convo_cache, retrieve_stage: [gen, critique], top_k: "${TOP_K:-7}", read: "${READ:-true}"}
      - {name: long_term, similarity_threshold: "${FLOOR:-0.25}"}
on_error: raise
"""


def test_defaults_work_with_no_key_and_no_network() -> None:
    made = MemoryConfig()
    assert made.embedding is not None
    assert made.embedding.provider == "local"
    assert not made.memory_agent.enabled
    assert (made.extract.batch_size, made.inject.short_term_count, made.long_term.max_return) == (5, 3, 2)
    assert made.inject.first_round_empty
    assert made.on_error == "skip"


def test_yaml_text_is_read_and_variables_are_replaced_by_what_the_field_wants() -> None:
    made = MemoryConfig.from_yaml(FULL, env={"KEY": "12345"})
    store = made.memory[0].config
    assert isinstance(store, config.SimpleMemoryConfig)
    assert store.memory_path == "auto"
    assert store.embedding is not None
    assert store.embedding.api_key == "12345"
    first, second = made.attachments("answer")
    assert (first.top_k, first.read) == (7, True)
    assert first.retrieve_stage == (Stage.GEN, Stage.POST_GEN_THINKING)
    assert second.similarity_threshold == 0.25
    assert made.attachments("nobody") == ()


def test_a_file_and_the_process_environment_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.yaml"
    path.write_text(FULL, encoding="utf-8")
    monkeypatch.setenv("KEY", "k")
    monkeypatch.setenv("TOP_K", "2")
    assert MemoryConfig.from_yaml(path).attachments("answer")[0].top_k == 2
    assert MemoryConfig.from_yaml(str(path)) == MemoryConfig.from_yaml(path)


def test_secrets_do_not_show() -> None:
    assert "hunter2" not in repr(MemoryConfig.from_yaml(FULL, env={"KEY": "hunter2"}))


@pytest.mark.parametrize(
    "settings",
    [
        "embedding: {provider: openai, model: m, api_kye: '${KEY}'}\n",
        "embedding: {provider: openai, api_key: '${KEY}'}\n",
        "memory_agent: {enabled: true, api_key: '${KEY}'}\n",
        "storage: {sql_url: '${KEY}', path: 5}\n",
    ],
)
def test_secrets_do_not_show_in_tracebacks(settings: str) -> None:
    with pytest.raises(ConfigError) as caught:
        MemoryConfig.from_yaml(settings, env={"KEY": "HUNTER2".lower()})
    told = "".join(traceback.format_exception(caught.value)).replace('"hunter2" not in repr', "")
    assert "hunter2" not in told


def test_free_form_settings_get_plain_values_from_the_environment() -> None:
    text = (
        "embedding:\n  provider: x\n  model: m\n  params: {a: '${T}', b: ['${N}'], c: '${F}', d: '${S}', e: '${T} x'}\n"
    )
    made = MemoryConfig.from_yaml(text, env={"T": "false", "N": "7", "F": "0.5", "S": "1e"})
    assert made.embedding is not None
    assert made.embedding.params == {"a": False, "b": [7], "c": 0.5, "d": "1e", "e": "false x"}
    assert yaml.safe_dump(made.embedding.params)


def test_variables_of_a_file_may_refer_to_the_environment() -> None:
    text = "vars: {A: '${KEY}', FLAG: true}\nprompts_dir: ${A}\nenabled: ${FLAG}\n"
    made = MemoryConfig.from_yaml(text, env={"KEY": "k"})
    assert (made.prompts_dir, made.enabled) == ("k", True)


def test_merge_keys_are_read() -> None:
    text = "memory:\n - &a {name: a, type: simple, config: {}}\n - {<<: *a, name: b}\n"
    assert [store.name for store in MemoryConfig.from_yaml(text).memory] == ["a", "b"]


def test_a_tree_survives_writing_and_reading() -> None:
    made = MemoryConfig.from_yaml(FULL, env={"KEY": "k"})
    assert MemoryConfig.from_dict(made.to_dict()) == made


def test_a_tree_is_frozen() -> None:
    with pytest.raises(ValidationError):
        MemoryConfig().language = "zh"  # type: ignore[misc]


def test_an_attachment_recalls_at_its_stages_only() -> None:
    bound = config.MemoryAttachmentConfig.from_dict({"name": "m", "retrieve_stage": ["plan"]})
    assert bound.recalls_at(Stage.PRE_GEN_THINKING)
    assert not bound.recalls_at(Stage.GEN)
    everywhere = config.MemoryAttachmentConfig(name="m", retrieve_stage=())
    assert everywhere.recalls_at(Stage.FINISHED)
    assert not config.MemoryAttachmentConfig(name="m", read=False).recalls_at(Stage.GEN)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"injct": {}}, "injct: unknown key 'injct'; did you mean 'inject'?"),
    ({"memory": [SIMPLE, SIMPLE]}, "memory[1].name: duplicated memory store name 'a'"),
    ({"memory": [{**SIMPLE, "type": "smple"}]}, "memory[0].type: unsupported memory store type 'smple'"),
    (
        {"memory": [{**SIMPLE, "config": {"memry_path": "x"}}]},
        "memory[0].config.memry_path: unknown key 'memry_path'; did you mean 'memory_path'?",
    ),
    ({"memory": [{**SIMPLE, "config": 3}]}, "memory[0].config: expected mapping"),
    ({"memory": 5}, "memory[0]: expected mapping"),
    (
        {"agents": {"r": {"memories": [{"name": "zz"}]}}},
        "agents.r.memories[0]: memory reference 'zz' not defined in memory",
    ),
    (
        {"agents": {"r": {"memories": [{"name": "profile", "topk": 1}]}}},
        "agents.r.memories[0].topk: unknown key 'topk'; did you mean 'top_k'?",
    ),
    (
        {"agents": {"r": {"memories": [{"name": "profile", "budget_share": 2}]}}},
        "agents.r.memories[0].budget_share: budget_share must be at most 1.0, not 2",
    ),
    (
        {"agents": {"r": {"memories": [{"name": "profile", "budget_share": 0.6}] * 2}}},
        "agents.r.memories: budget shares add up to 1.2; they must not pass 1",
    ),
    ({"agents": []}, "agents: expected mapping"),
    ({"on_error": "explode"}, "on_error: input should be 'skip' or 'raise', not 'explode'"),
    ({"enabled": "yes"}, "enabled: enabled must be boolean"),
    ({"max_history": True}, "max_history: max_history must be a non-negative integer"),
    ({"max_history": -1}, "max_history: max_history must be a non-negative integer"),
    ({"extract": {"batch_size": True}}, "extract.batch_size: batch_size must be a positive integer"),
    ({"extract": {"min_confidence": 1.5}}, "extract.min_confidence: min_confidence must be at most 1.0, not 1.5"),
    ({"extract": {"min_confidence": float("nan")}}, "extract.min_confidence: min_confidence must be numeric"),
    ({"short_term": {"max_items": 2}}, "short_term.compression_threshold: compression_threshold 5 passes max_items 2"),
    (
        {"inject": {"budget": {"shares": {"profile": 0.9}}}},
        "inject.budget.shares: shares add up to 1.6; they must not pass 1",
    ),
    ({"inject": {"budget": {"factor": 0}}}, "inject.budget.factor: factor must be greater than 0.0, not 0"),
    ({"inject": {"keywords": [1]}}, "inject.keywords[0]: keywords entries must be strings"),
    (
        {"memory_agent": {"timeout": "soon"}},
        "memory_agent.timeout: timeout must be a positive number of seconds or text such as '30s'",
    ),
    (
        {"memory_agent": {"enabled": True}},
        "memory_agent.model: an enabled memory agent needs a model, such as 'gpt-4o-mini'",
    ),
    (
        {"memory_agent": {"extract": {"batch_size": 0}}},
        "memory_agent.extract.batch_size: batch_size must be a positive integer",
    ),
    ({"memory": {"short_term": {"max_items": 0}}}, "memory.short_term.max_items: max_items must be a positive integer"),
    (
        {"memory": {"enabled": True, "shortterm": {}}},
        "memory.shortterm: unknown key 'shortterm'; did you mean 'short_term'?",
    ),
    ({"function-x": 1}, "function-x: unknown key 'function-x'; known: enabled"),
    (
        {"agents": {"function-call": {"role": "x"}}},
        "agents.function-call.role: input should be 'router' or 'worker', not 'x'",
    ),
    (
        {"memory": {"name": "a", "type": "simple", "config": {"x": 1}}},
        "memory[0].config.x: unknown key 'x'; known: memory_path",
    ),
    ({"memory": {"shortterm": {}}}, "memory.shortterm: unknown key 'shortterm'; did you mean 'short_term'?"),
    ({"inject": {"budget": {"factor": 10**400}}}, "inject.budget.factor: factor must be numeric"),
    ({"memory_agent": {"timeout": "0s"}}, "memory_agent.timeout: timeout must be a positive number"),
    ({"memory_agent": {"timeout": f"{'9' * 400}h"}}, "memory_agent.timeout: timeout must be a positive number"),
    (
        {"memory": {"name": "f", "type": "file", "config": {"file_sources": {"path": "d"}, "chunk_size": 10}}},
        "memory[0].config.chunk_overlap: chunk_overlap 50 must be smaller than chunk_size 10",
    ),
    ({"enabled": True, "memory": {"enabled": False}}, "memory.enabled: given twice, here and at enabled"),
    ({"memory": [], "graph": {"memory": []}}, "graph.memory: given twice, here and at memory"),
    ({"agents": ["x"], "nodes": []}, "agents: expected mapping"),
    ({"agents": {"a": {}}, "nodes": [{"id": "a"}]}, "nodes[0]: agent 'a' is given twice, here and at agents.a"),
    (
        {"nodes": [{"id": "a"}, {"id": "a.memories", "config": {"memories": [{"name": "zz"}]}}]},
        "nodes[1].config.memories[0]: memory reference 'zz' not defined in memory",
    ),
    ({"nodes": 5}, "nodes: expected list"),
    ({"nodes": [5]}, "nodes[0]: expected mapping"),
    ({"nodes": [{}]}, "nodes[0].id: expected string"),
    ({"nodes": [{"id": "A", "config": 5}]}, "nodes[0].config: expected mapping"),
    ({"nodes": [{"id": "A"}, {"id": "A"}]}, "nodes: duplicate node ids detected: A"),
    ({"graph": {"memory": [SIMPLE, SIMPLE]}}, "graph.memory[1].name: duplicated memory store name 'a'"),
    ({"storage": {"path": ""}}, "storage.path: expected non-empty string"),
]


@pytest.mark.parametrize(("settings", "message"), WRONG, ids=lambda value: str(value)[:60])
def test_what_is_wrong_is_told_with_its_path(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        MemoryConfig.from_dict(settings)
    assert str(caught.value).startswith(message)


def test_keyword_arguments_are_judged_alike() -> None:
    with pytest.raises(ConfigError, match=r"^extract.batch_size: batch_size must be a positive integer$"):
        MemoryConfig(extract={"batch_size": 0})
    with pytest.raises(ConfigError, match=r"^batch_size: batch_size must be a positive integer$"):
        config.ExtractConfig(batch_size=0)


def test_all_problems_are_attached() -> None:
    with pytest.raises(ConfigError) as caught:
        MemoryConfig.from_dict({"enabled": 1, "language": "fr"})
    assert [path for path, _ in caught.value.problems] == ["enabled", "language"]
    assert caught.value.__notes__ == ["also language: input should be 'en' or 'zh', not 'fr'"]


def test_a_whole_graph_file_gives_its_memories(tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    path.write_text(
        """
version: 0.4.0
vars: {MODEL: text-embedding-3-small}
graph:
  id: demo
  nodes:
    - id: answer
      type: agent
      config:
        provider: openai
        role: You are a professional writer.
        prompt_template: answer_user
        memories: [{name: m, retrieve_stage: ["gen"], top_k: 5}]
    - {id: sink, type: literal}
  edges: []
  memory:
    - {name: m, type: simple, config: {embedding: {provider: openai, model: "${MODEL}"}}}
""",
        encoding="utf-8",
    )
    made = MemoryConfig.from_yaml(path, env={})
    assert made.attachments("answer")[0].top_k == 5
    assert made.attachments("sink") == ()
    store = made.memory[0].config
    assert isinstance(store, config.SimpleMemoryConfig)
    assert store.embedding is not None
    assert store.embedding.model == "text-embedding-3-small"


def test_the_older_name_of_an_index_is_read() -> None:
    made = config.FileMemoryConfig.from_dict({"file_sources": {"path": "d"}, "memory_path": "old.json"})
    assert made.index_path == "old.json"
    source = made.file_sources[0]
    assert config.FileSourceConfig.from_dict({"path": "d", "encoding": ""}).encoding == "utf-8"
    assert source.file_types is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "(text): this is not valid YAML: key 'a' is written twice; the second stands on line 2"),
        ("a: [\n", "(text): this is not valid YAML"),
        ("? [a]\n: 1\n", "(text): this is not valid YAML"),
        ("prompts_dir: 2026-02-30\n", "(text): this is not valid YAML: day"),
        (f"a: {'[' * 3000}\n", "(text): this is not valid YAML: it is nested too deeply"),
        ("- a\n- b\n", "(text): expected a mapping of settings, not a list"),
        ("vars: 5\n", "vars: expected mapping"),
        ("vars: {A: null}\n", "vars.A: a variable takes text or a number, not None"),
        ("prompts_dir: ${A:-${B}}\n", "prompts_dir: cannot read the reference in '${A:-${B}}'"),
        ("prompts_dir: ${KEY:?e}\n", "prompts_dir: cannot read the reference in '${KEY:?e}'"),
        ("prompts_dir: ${KEY\n", "prompts_dir: cannot read the reference in '${KEY'"),
        (
            "storage:\n  path: ${NOT_SET}\n",
            "storage.path: environment variable 'NOT_SET' is not set; set it or write ${NOT_SET:-default}",
        ),
        ("extract:\n  batch_size: ${N:-many}\n", "extract.batch_size: batch_size must be a positive integer"),
        ("enabled: ${N:-maybe}\n", "enabled: enabled must be boolean"),
        ("extract:\n  min_confidence: ${N:-high}\n", "extract.min_confidence: min_confidence must be numeric"),
    ],
)
def test_a_bad_document_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        MemoryConfig.from_yaml(text, env={})
    assert str(caught.value).startswith(message)


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    for name in ("nowhere.yaml", "a\x00b"):
        with pytest.raises(ConfigError, match=f"^{name}: cannot read the configuration file"):
            MemoryConfig.from_yaml(name)
    broken = tmp_path / "broken.toml"
    broken.write_text("a = ", encoding="utf-8")
    with pytest.raises(ConfigError, match="broken.toml: this is not valid TOML"):
        MemoryConfig.from_toml(broken)


def test_an_empty_document_gives_the_defaults() -> None:
    assert MemoryConfig.from_yaml("# nothing\n") == MemoryConfig()
    with pytest.raises(ConfigError, match="expected mapping"):
        MemoryConfig.from_dict([])  # type: ignore[arg-type]


def test_dollars_and_set_but_empty_variables() -> None:
    text = "storage:\n  path: $$HOME/${DIR:-d}/x\n  sql_url: ${EMPTY}\nlanguage: ${LANG_:-en}\n"
    made = MemoryConfig.from_yaml(text, env={"EMPTY": "", "DIR": ""})
    assert made.storage.path == "$HOME/d/x"
    assert made.storage.sql_url is None


@pytest.mark.parametrize(("text", "seconds"), [("500ms", 0.5), ("2m", 120.0), ("1h", 3600.0), (5, 5.0)])
def test_durations(text: object, seconds: float) -> None:
    assert config.ModelConfig.from_dict({"timeout": text}).timeout == seconds


class DiaryConfig(ConfigModel):
    """Settings of a kind of store that a user adds."""

    path: str


def test_a_new_kind_of_store_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_kinds, "_KINDS", store_kinds.store_kinds())
    config.register_store_kind("diary", DiaryConfig, "a diary")
    config.register_store_kind("diary", DiaryConfig, "a diary, again")
    config.register_store_kind("profile", config.BuiltInMemoryConfig, "again")
    assert config.store_kinds()["profile"].implicit
    made = MemoryConfig.from_dict({"memory": {"name": "d", "type": "diary", "config": {"path": "x"}}})
    assert isinstance(made.memory[0].config, DiaryConfig)
    assert "diary" in config.MemoryStoreConfig.field_specs()["type"].enum
    with pytest.raises(InvalidInputError, match="'simple' is already registered"):
        config.register_store_kind("simple", DiaryConfig, "no")


def config_classes(base: type[ConfigModel] = ConfigModel) -> list[type[ConfigModel]]:
    return [found for kind in base.__subclasses__() for found in (kind, *config_classes(kind))]


@pytest.mark.parametrize("kind", config_classes(), ids=lambda kind: kind.__name__)
def test_every_class_describes_its_fields(kind: type[ConfigModel]) -> None:
    for name, spec in kind.field_specs().items():
        assert isinstance(spec, FieldSpec)
        told = spec.to_dict()
        assert told["name"] == name
        assert told["displayName"]
        assert told["type"]
