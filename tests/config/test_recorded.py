"""Recorded configurations are read alike, but where we are stricter on purpose."""

from __future__ import annotations

from typing import Any

import pytest

from memory_middleware import (
    ConfigError,
    EmbeddingConfig,
    MemoryAttachmentConfig,
    MemoryConfig,
    MemoryStoreConfig,
    config,
)
from tests.support import brief, cases, contains, vectors

CLASSES: dict[str, Any] = {
    "embedding": EmbeddingConfig,
    "file_source": config.FileSourceConfig,
    "store": MemoryStoreConfig,
    "attachment": MemoryAttachmentConfig,
}
UNKNOWN_KEY = "unknown key"


def deviation(case: dict[str, Any]) -> str | None:
    """Name what we say instead, where we differ on purpose; ``""`` means we accept."""
    given = case["input"] if isinstance(case["input"], dict) else {}
    inner = given.get("config") if isinstance(given.get("config"), dict) else {}
    if "unknown" in given or (inner and "unknown_key" in inner):
        return UNKNOWN_KEY
    if any(value is True for key, value in (given | (inner or {})).items() if key in ("top_k", "max_items")):
        return "must be a positive integer"
    stages = given.get("retrieve_stage")
    stages = [stages] if isinstance(stages, str) else stages
    if stages and set(stages) & set(config.STAGE_ALIASES):
        return ""
    return None


@pytest.mark.parametrize("case", cases("002_devall/config"), ids=lambda case: f"{case['kind']}-{brief(case)}")
def test_a_recorded_configuration_is_read_alike(case: dict[str, Any]) -> None:
    read = CLASSES[case["kind"]].from_dict
    instead = deviation(case)
    if instead is None and "ok" in case["expected"]:
        made = read(case["input"], path=case["path"])
        assert contains(made.model_dump(mode="json"), case["expected"]["ok"])
        assert read(made.to_dict()) == made
    elif instead == "":
        read(case["input"], path=case["path"])
    else:
        with pytest.raises(ConfigError) as caught:
            read(case["input"], path=case["path"])
        if instead is None:
            assert (str(caught.value), caught.value.path) == (case["expected"]["message"], case["expected"]["path"])
        else:
            assert instead in str(caught.value)
            assert caught.value.path.startswith(case["path"])


@pytest.mark.parametrize("case", cases("002_devall/graph_config"), ids=brief)
def test_a_recorded_graph_is_read_alike(case: dict[str, Any]) -> None:
    if "ok" in case["expected"]:
        made = MemoryConfig.from_dict(case["input"], path="graph")
        assert [store.name for store in made.memory] == case["expected"]["ok"]["memory"]
    else:
        with pytest.raises(ConfigError) as caught:
            MemoryConfig.from_dict(case["input"], path="graph")
        assert (str(caught.value), caught.value.path) == (case["expected"]["message"], case["expected"]["path"])


def test_the_stages_are_the_recorded_ones() -> None:
    assert [stage.value for stage in config.Stage] == vectors("002_devall/config")["stages"]


RENAMED = {"list[AgentExecFlowStage]": "list[Stage]"}


@pytest.mark.parametrize("name", list(vectors("002_devall/registry")["config_field_specs"]))
def test_a_form_finds_the_recorded_fields(name: str) -> None:
    ours = {field: spec.to_dict() for field, spec in getattr(config, name).field_specs().items()}
    for recorded in vectors("002_devall/registry")["config_field_specs"][name]:
        for key in ("name", "displayName", "type", "required", "advance", "childNode"):
            assert ours[recorded["name"]].get(key) == recorded.get(key), (recorded["name"], key)


@pytest.mark.parametrize(
    ("made", "key"), [(MemoryStoreConfig, "store_field_specs"), (MemoryAttachmentConfig, "attachment_field_specs")]
)
def test_stores_and_attachments_have_the_recorded_forms(made: Any, key: str) -> None:
    ours = {field: spec.to_dict() for field, spec in made.field_specs().items()}
    for recorded in vectors("002_devall/registry")[key]:
        spec = ours[recorded["name"]]
        assert spec["type"] == RENAMED.get(recorded["type"], recorded["type"])
        assert spec["required"] is recorded["required"]
        assert spec.get("default") == recorded.get("default")
        assert set(recorded.get("enum", ())) <= set(spec.get("enum", ()))


def test_every_kind_of_store_has_a_summary() -> None:
    kinds = config.store_kinds()
    for case in cases("002_devall/registry"):
        assert kinds[case["name"]].config_cls.__name__ == case["config_cls"]
    assert all(kind.summary for kind in kinds.values())


def test_recorded_settings_are_read_from_toml() -> None:
    recorded = vectors("003_orca/config_keys")
    made = MemoryConfig.from_toml(recorded["example_toml"])
    parsed = recorded["example_parsed"]
    assert contains(made.short_term.to_dict(), parsed["memory"]["short_term"])
    assert contains(made.long_term.to_dict(), parsed["memory"]["long_term"])
    assert made.inject.long_term_trigger == "keywords"
    assert made.memory_agent.timeout == 30.0
    assert contains(made.extract.to_dict(), parsed["memory_agent"]["extract"])
    assert contains(made.summarize.to_dict(), parsed["memory_agent"]["summarize"])
    assert MemoryConfig.from_dict(parsed) == made


SECTIONS: dict[str, type[config.ConfigModel]] = {
    "MemoryConfig": MemoryConfig,
    "LongTermConfig": config.LongTermConfig,
    "MemoryAgentConfig": config.ModelConfig,
    "SummarizeConfig": config.SummarizeConfig,
}


@pytest.mark.parametrize("case", cases("003_orca/config_keys"), ids=lambda case: str(case["struct"]))
def test_the_recorded_keys_exist(case: dict[str, Any]) -> None:
    moved_to_the_top = {"extract", "summarize"}
    keys = {key for _, _, key in case["fields"]} - moved_to_the_top
    assert keys <= set(SECTIONS[case["struct"]].model_fields)
