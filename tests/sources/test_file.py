"""File sources: documents as a read-only index that follows them."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import ConfigError, EmbeddingConfig, EmbeddingError, MemoryConfig, MemoryContentSnapshot
from memory_middleware.config import FileMemoryConfig, FileSourceConfig
from memory_middleware.sources import SourceContext, build_source
from memory_middleware.sources.file import FileMemory
from memory_middleware.sources.manager import MemoryManager
from memory_middleware.testing import HashEmbeddings
from tests.sources.support import (
    ANN,
    NOW,
    CountingEmbeddings,
    TableEmbeddings,
    load_index,
    start_processes,
    summaries,
    turn,
)
from tests.support import contains, vectors

BUILD, CHANGE, PLAIN, MISSING, UPDATE = vectors("002_devall/file_memory")["cases"]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    for name, text in BUILD["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "docs"


def markdown(docs: Path, embeddings: HashEmbeddings, **options: Any) -> FileMemory:
    files = [FileSourceConfig(source_path=str(docs), file_types=[".md"])]
    return FileMemory("docs", files, embeddings, index_path=docs.parent / "index.json", clock=lambda: NOW, **options)


def read_index(docs: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((docs.parent / "index.json").read_text(encoding="utf-8"))
    return data


def assert_recorded(source: FileMemory, expected: dict[str, Any], root: Path) -> None:
    found = {path.replace(str(root), "<root>"): entry for path, entry in source.file_metadata.items()}
    assert found == expected["file_metadata"]
    items = source.retrieve(MemoryContentSnapshot("anything"), ANN, top_k=100)
    assert {item.id for item in items} == set(expected["ids"])


def test_a_recorded_index_is_the_same_and_follows_its_files(docs: Path) -> None:
    embeddings = CountingEmbeddings()
    source = markdown(docs, embeddings)
    source.load()
    assert_recorded(source, BUILD["expected"], docs.parent)
    index = read_index(docs)
    assert list(index) == BUILD["index_top_keys"]
    assert contains(index["config"], BUILD["index_config"])
    assert [item["id"] for item in index["contents"]] == BUILD["expected"]["ids"]
    example = json.loads(json.dumps(BUILD["example_item_a_md"]).replace("<root>", str(docs.parent)))
    assert contains(index["contents"][0], {key: value for key, value in example.items() if key != "embedding"})

    (docs / "a.md").write_text("# Alpha\nchanged", encoding="utf-8")
    (docs / "sub" / "c.md").unlink()
    (docs / "d.md").write_text("new file", encoding="utf-8")
    embeddings.seen.clear()
    source.load()
    assert embeddings.seen == ["# Alpha\nchanged", "new file"]
    assert_recorded(source, CHANGE["expected"], docs.parent)

    flat = FileMemory("flat", [FileSourceConfig(source_path=str(docs), recursive=False)], HashEmbeddings())
    flat.load()
    assert_recorded(flat, PLAIN["expected"], docs.parent)
    assert [path.name for path in docs.parent.glob("*.json")] == ["index.json"]


def test_a_missing_path_gives_nothing_and_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source = FileMemory("docs", [FileSourceConfig(source_path=str(tmp_path / "gone"))], HashEmbeddings())
    with caplog.at_level(logging.WARNING):
        assert_recorded(source, MISSING["expected"], tmp_path)
    assert "there is nothing to index at" in caplog.text


def test_update_does_nothing(docs: Path) -> None:
    source = markdown(docs, HashEmbeddings())
    before = summaries(source, "alpha")
    source.update(turn("new", "knowledge"), ANN)
    source.save()
    assert summaries(source, "alpha") == before
    assert UPDATE["before"] == UPDATE["after"]


def test_a_single_file_and_a_suffix_without_a_dot_are_taken(docs: Path) -> None:
    files = [
        FileSourceConfig(source_path=str(docs / "b.txt")),
        FileSourceConfig(source_path=str(docs), file_types=["txt"]),
    ]
    source = FileMemory("docs", files, HashEmbeddings())
    assert summaries(source, "markdown") == ["not markdown"]


def test_only_new_pieces_are_embedded_also_in_the_next_process(docs: Path) -> None:
    markdown(docs, CountingEmbeddings()).load()
    stamp = (docs.parent / "index.json").stat().st_mtime_ns
    embeddings = CountingEmbeddings()
    source = markdown(docs, embeddings)
    source.load()
    assert embeddings.seen == []
    assert (docs.parent / "index.json").stat().st_mtime_ns == stamp
    (docs / "a.md").rename(docs / "moved.md")
    source.load()
    assert embeddings.seen == []
    assert str(docs / "moved.md") in source.file_metadata


def test_other_settings_or_another_embedder_make_the_index_anew(docs: Path) -> None:
    markdown(docs, CountingEmbeddings()).load()
    smaller = CountingEmbeddings()
    markdown(docs, smaller, chunk_size=100, chunk_overlap=10).load()
    assert len(smaller.seen) == 3
    assert len(read_index(docs)["contents"]) > 3
    other = TableEmbeddings({"alpha": [1.0, 0.0]}, 2)
    found = FileMemory(
        "docs", [FileSourceConfig(source_path=str(docs))], other, index_path=docs.parent / "index.json"
    ).retrieve(MemoryContentSnapshot("alpha"), ANN, top_k=1)
    assert len(found[0].embedding or ()) == 2


def test_vectors_of_another_length_make_the_index_anew(docs: Path) -> None:
    embeddings = TableEmbeddings({}, 4)
    markdown_files = [FileSourceConfig(source_path=str(docs), file_types=[".md"])]
    FileMemory("docs", markdown_files, embeddings, index_path=docs.parent / "index.json").load()
    source = FileMemory("docs", markdown_files, TableEmbeddings({}, 6), index_path=docs.parent / "index.json")
    source.load()
    assert len(source.retrieve(MemoryContentSnapshot("alpha"), ANN, top_k=9)[0].embedding or ()) == 6


def test_without_an_embedder_building_is_refused_and_the_index_stays_as_it_was(docs: Path, tmp_path: Path) -> None:
    markdown(docs, HashEmbeddings()).load()
    before = (tmp_path / "index.json").read_bytes()
    config = FileMemoryConfig(index_path="index.json", file_sources=[{"path": str(docs), "file_types": [".md"]}])
    with pytest.raises(ConfigError, match=r"memory\.docs\.config\.embedding: a file store needs an embedding"):
        build_source("file", config, SourceContext("docs", tmp_path))
    assert (tmp_path / "index.json").read_bytes() == before
    whole = MemoryConfig.from_dict({"memory": [{"name": "docs", "type": "file", "config": config.to_dict()}]})
    with pytest.raises(ConfigError):
        MemoryManager(whole, tmp_path)
    config = FileMemoryConfig(**{**config.to_dict(), "embedding": EmbeddingConfig(provider="local", model="wordllama")})
    source = build_source("file", config, SourceContext("docs", tmp_path, embed=lambda _: HashEmbeddings()))
    assert len(summaries(source, "alpha")) == 3


def test_a_failing_embedder_leaves_an_index_that_is_completed_later(docs: Path) -> None:
    (docs / "z.md").write_text("BOOM", encoding="utf-8")
    for at in range(300):
        (docs / f"a{at}.md").write_text(f"file number {at}", encoding="utf-8")
    embeddings = CountingEmbeddings()
    source = markdown(docs, embeddings)
    with pytest.raises(EmbeddingError, match="no vector for BOOM"):
        source.load()
    done = len(read_index(docs)["contents"])
    assert 0 < done < 304
    embeddings.failing = False
    embeddings.seen.clear()
    source.load()
    assert len(embeddings.seen) == 304 - done
    assert summaries(source, "BOOM", top_k=1) == ["BOOM"]


@pytest.mark.parametrize(
    "broken",
    [
        "{not json",
        "[]",
        '{"contents": [{"id": "x"}]}',
        '{"contents": [{"id": "x", "metadata": {"file_path": "a"}, "embedding": [1]}]}',
    ],
)
def test_a_corrupt_index_is_moved_aside_and_made_anew(
    docs: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    (docs.parent / "index.json").write_text(broken, encoding="utf-8")
    source = markdown(docs, HashEmbeddings())
    with caplog.at_level(logging.WARNING):
        source.load()
    assert "it was moved to" in caplog.text
    assert source.set_aside[0].read_text(encoding="utf-8") == broken
    assert len(read_index(docs)["contents"]) == 3


def test_an_index_with_vectors_of_two_lengths_is_corrupt(docs: Path) -> None:
    markdown(docs, HashEmbeddings()).load()
    index = read_index(docs)
    index["contents"][0]["embedding"] = [1.0]
    (docs.parent / "index.json").write_text(json.dumps(index), encoding="utf-8")
    source = markdown(docs, HashEmbeddings())
    assert len(summaries(source, "alpha")) == 3
    assert len(source.set_aside) == 1


def test_the_index_file_is_not_indexed(docs: Path) -> None:
    files = [FileSourceConfig(source_path=str(docs))]
    embeddings = CountingEmbeddings()
    for _ in range(3):
        FileMemory("docs", files, embeddings, index_path=docs / "index.json").load()
    assert len(embeddings.seen) == 5


def test_files_that_cannot_be_read_are_left_out_and_told(docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    (docs / "binary.md").write_bytes(b"\xff\xfe\xfa")
    (docs / "latin.text").write_bytes("déjà vu".encode("latin-1"))
    (docs / "dangling.md").symlink_to(docs / "nowhere.md")
    files = [
        FileSourceConfig(source_path=str(docs), file_types=[".md"]),
        FileSourceConfig(source_path=str(docs), file_types=[".text"], encoding="latin-1"),
        FileSourceConfig(source_path=str(docs), file_types=[".txt"], encoding="no-such"),
    ]
    source = FileMemory("docs", files, HashEmbeddings())
    with caplog.at_level(logging.WARNING):
        assert "déjà vu" in summaries(source, "vu")
    assert {Path(path).name for path in source.problems} == {"binary.md", "b.txt"}
    assert "is left out of the index 'docs'" in caplog.text


def test_a_search_is_by_cosine_with_a_threshold_and_a_blank_one_finds_nothing(docs: Path) -> None:
    source = markdown(docs, HashEmbeddings())
    assert source.file_metadata == {}
    found = source.retrieve(MemoryContentSnapshot("# Alpha short file"), ANN, top_k=2, threshold=0.9)
    assert [item.metadata["file_name"] for item in found] == ["a.md"]
    assert summaries(source, "  ") == []


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("marked", encoding="utf-8-sig")
    source = FileMemory("docs", [FileSourceConfig(source_path=str(tmp_path))], HashEmbeddings())
    assert summaries(source, "marked") == ["marked"]


def test_threads_embed_once(docs: Path) -> None:
    embeddings = CountingEmbeddings()
    source = markdown(docs, embeddings)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: summaries(source, "alpha"), range(12)))
    assert all(texts == found[0] for texts in found)
    assert sorted(set(embeddings.seen) - {"alpha"}) == sorted(set(found[0]))
    assert len([text for text in embeddings.seen if text != "alpha"]) == len(set(found[0]))


def test_processes_may_bring_one_index_up_to_date_at_once(docs: Path) -> None:
    for at in range(50):
        (docs / f"file{at}.md").write_text(f"file number {at}", encoding="utf-8")
    work = (str(docs), str(docs.parent / "index.json"))
    for process in start_processes(load_index, work, work, work):
        process.join(60)
        assert process.exitcode == 0
    assert len(read_index(docs)["file_metadata"]) == 54
    assert not list(docs.parent.glob("*corrupt*"))
