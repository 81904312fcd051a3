"""Edits that are taken back, met by others, and made in every field of the profiles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import pytest
from pydantic import BaseModel

from memory_middleware import UserMemoryContent, WorkProfileContent
from tests.rest.live import Live
from tests.web.reader import Reader
from tests.web.test_changing import PORTO, open_record, record

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

RIVER = "The user lives in Porto, near the river."


def edit(reader: Reader, text: str) -> None:
    reader.button("Edit").click()
    reader.page.get_by_label("Text").fill(text)
    reader.button("Save").click()
    reader.page.locator(".said", has_text=text).wait_for()


def test_an_undo_can_be_undone(reader: Reader, served: Live) -> None:
    name = open_record(reader, served, PORTO)
    edit(reader, RIVER)
    edits = reader.page.locator(".edits li")
    edits.first.get_by_role("button", name="Take back").click()
    reader.sees("Taken back")
    assert record(served, name)["content"] == PORTO
    reader.button("Undo").click()
    reader.page.locator(".said", has_text="near the river").wait_for()
    assert edits.count() == 3


def test_several_edits_are_taken_back_at_once(reader: Reader, served: Live) -> None:
    name = open_record(reader, served, PORTO)
    for text in (RIVER, "The user lives in Porto, in a tower."):
        edit(reader, text)
    oldest = reader.page.locator(".edits li").last
    assert PORTO in oldest.locator("del").inner_text()
    oldest.get_by_role("button", name="Take back").click()
    reader.page.locator(".said", has_text=PORTO).wait_for()
    assert record(served, name)["content"] == PORTO


def test_an_undo_does_not_overwrite_what_came_after(reader: Reader, served: Live) -> None:
    name = open_record(reader, served, PORTO)
    edit(reader, RIVER)
    served.ana.patch(f"/records/{name}", json={"content": "The user lives in Braga."})
    reader.button("Undo").click()
    reader.sees("the record has another version by now")
    reader.page.locator(".said", has_text="Braga").wait_for()
    reader.forgive(412)


def test_two_texts_are_made_one(reader: Reader, served: Live) -> None:
    name = open_record(reader, served, PORTO)
    reader.button("Edit").click()
    served.ana.patch(f"/records/{name}", json={"content": "The user lives in Braga."})
    reader.page.get_by_label("Text").fill("The user has a cat.")
    reader.button("Save").click()
    reader.button("Edit both together").click()
    assert reader.page.get_by_label("Text").input_value() == "The user lives in Braga.\n\nThe user has a cat."
    reader.page.get_by_label("Text").fill("The user lives in Braga with a cat.")
    reader.button("Save").click()
    reader.page.locator(".said", has_text="Braga with a cat").wait_for()
    reader.forgive(412)


def test_a_note_edited_on_disk_meanwhile_is_not_overwritten(reader: Reader, served: Live, tmp_path: Path) -> None:
    reader.go("notes")
    reader.button("Edit").click()
    file = tmp_path / "notes" / "launch.md"
    file.write_text(file.read_text("utf-8").replace("1 June", "9 June"), encoding="utf-8")
    reader.page.get_by_label("Text", exact=True).fill("We launch when it is ready.")
    reader.button("Save").click()
    reader.page.locator(".conflict", has_text="9 June").wait_for()
    assert "9 June" in file.read_text("utf-8")
    reader.button("Edit both together").click()
    reader.button("Save").click()
    reader.page.locator("pre", has_text="when it is ready").wait_for()
    assert "9 June" in served.ana.get("/notes/launch").json()["content"]
    reader.forgive(412)


ENDING = "new KeyboardEvent('keydown', {key: 'Escape', isComposing: true, bubbles: true})"


def test_escape_that_only_ends_a_composition_throws_no_form_away(reader: Reader, served: Live) -> None:
    def composed(field: Locator) -> None:
        field.fill("很长的新内容")
        before = len(reader.asked)
        field.evaluate(f"(field) => field.dispatchEvent({ENDING})")
        assert field.input_value() == "很长的新内容"
        assert len(reader.asked) == before  # the form is not drawn anew either
        field.press("Escape")
        field.wait_for(state="detached")

    open_record(reader, served, PORTO)
    reader.button("Edit").click()
    composed(reader.page.get_by_label("Text"))
    reader.go("notes")
    reader.button("Edit").click()
    composed(reader.page.get_by_label("Text", exact=True))
    reader.go("profile")
    person = reader.page.get_by_role("region", name="The person")
    person.get_by_role("button", name="Edit Occupation").click()
    composed(person.get_by_label("Occupation", exact=True))


def test_a_note_that_is_there_is_not_replaced_by_a_new_one(reader: Reader, served: Live) -> None:
    reader.go("notes")
    reader.button("+ New note").click()
    for label, text in (("File name", "launch"), ("Title", "Other"), ("What it is about", "x"), ("Text", "Mine")):
        reader.page.get_by_label(label, exact=True).fill(text)
    reader.button("Save").click()
    reader.page.locator(".conflict", has_text="We launch on 1 June.").wait_for()
    assert served.ana.get("/notes/launch").json()["name"] == "Launch of Harbour"
    reader.forgive(412)


def test_a_note_changed_meanwhile_is_not_removed(reader: Reader, served: Live) -> None:
    reader.go("notes")
    body = {"type": "project", "name": "Launch", "description": "When", "content": "In July.\n"}
    served.ana.put("/notes/launch", json=body)
    reader.button("Remove").click()
    reader.page.locator(".toast").get_by_role("button", name="Close").first.click()
    reader.page.locator("pre", has_text="In July.").wait_for()
    reader.sees("the note has another version by now")
    reader.forgive(412)


def fields(model: type[BaseModel]) -> dict[str, Any]:
    """Tell the fields of a profile, and those of the models inside."""
    return {name: _inside(field.annotation) for name, field in model.model_fields.items()}


def _inside(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return None if annotation.__name__ == "TimeWindow" else fields(annotation)
    inner = [_inside(one) for one in get_args(annotation)] if get_origin(annotation) is not None else []
    return next((one for one in inner if isinstance(one, Mapping)), None)


@pytest.mark.parametrize(("kind", "model"), [("user", UserMemoryContent), ("work", WorkProfileContent)])
def test_every_field_of_the_profiles_can_be_edited(kind: str, model: type[BaseModel], reader: Reader) -> None:
    code = """async (kind) => {
        const { SHAPES } = await import("./page/views/profile_shape.js");
        const shape = (parts) => Object.fromEntries(parts.map((one) => {
            const inner = one.entries ?? one.group;
            return [one.name, inner ? shape(inner) : null];
        }));
        return shape(SHAPES[kind]);
    }"""
    assert reader.page.evaluate(code, kind) == fields(model)


def test_milestones_and_where_an_entry_comes_from_are_edited(reader: Reader, served: Live) -> None:
    reader.go("profile")
    work = reader.page.get_by_role("region", name="The work")
    work.get_by_role("button", name="Edit Harbour").click()
    for at, (name, due) in enumerate((("Beta", "2026-05-01"), ("Release", "2026-06-01"))):
        work.get_by_role("button", name="Add to Milestones").click()
        row = work.locator(".nested-row").nth(at)
        row.get_by_label("Name", exact=True).fill(name)
        row.get_by_label("Due", exact=True).fill(due)
        row.get_by_label("Status", exact=True).fill("planned")
    work.get_by_text("Where it comes from").click()
    work.get_by_label("Source", exact=True).fill("kick-off")
    work.get_by_label("Confidence", exact=True).fill("0.8")
    work.get_by_label("Last change", exact=True).fill("2026-03-01T09:30")
    work.get_by_role("button", name="Save").click()
    work.get_by_text("Beta · 2026-05-01 · planned").wait_for()
    [project] = served.ana.get("/memories/work").json()["current_projects"]
    assert [one["name"] for one in project["key_milestones"]] == ["Beta", "Release"]
    assert (project["meta"]["source"], project["meta"]["confidence"]) == ("kick-off", 0.8)
    assert project["meta"]["last_updated_at"].startswith("2026-03-01T")
    assert project["deadline"] == "2026-06-30"
    work.get_by_role("button", name="Edit Harbour").click()
    work.get_by_role("button", name="Remove Beta").click()
    work.get_by_role("button", name="Save").click()
    work.get_by_role("button", name="Edit Harbour").wait_for()
    assert work.get_by_text("Beta · 2026-05-01").count() == 0
    [project] = served.ana.get("/memories/work").json()["current_projects"]
    assert [one["name"] for one in project["key_milestones"]] == ["Release"]


def test_a_chinese_reader_is_told_in_chinese_what_is_wrong(browser: Browser, served_in_chinese: Live) -> None:
    with Reader.open(browser, served_in_chinese.url, locale="zh-CN") as reader:
        reader.go("profile")
        person = reader.page.get_by_role("region", name="个人")
        person.get_by_role("button", name="编辑时区").click()
        person.get_by_label("时区", exact=True).fill("月球/静海")
        reader.page.keyboard.press("Enter")
        reader.sees("时区：不合要求")
        reader.go("notes")
        reader.button("+ 新笔记").click()
        for label, text in (("文件名", "MEMORY"), ("标题", "甲"), ("内容简介", "乙"), ("内容", "丙")):
            reader.page.get_by_label(label, exact=True).fill(text)
        reader.button("保存").click()
        reader.sees("笔记不能使用这个名称或内容。")
        reader.forgive(422)


def test_weekdays_are_written_in_chinese(browser: Browser, served_in_chinese: Live) -> None:
    with Reader.open(browser, served_in_chinese.url, locale="zh-CN") as reader:
        reader.go("profile")
        work = reader.page.get_by_role("region", name="工作")
        work.get_by_text("习惯", exact=True).click()
        work.get_by_role("button", name="编辑可用时间").click()
        work.get_by_label("可用时间", exact=True).fill("周一、周三 9:00-12:00")
        work.get_by_role("button", name="保存").click()
        work.get_by_text("周一、周三 09:00–12:00").wait_for()
        hours = served_in_chinese.ana.get("/memories/work").json()["work_habits"]["available_hours"]
        assert hours == [{"weekdays": ["monday", "wednesday"], "start": "09:00", "end": "12:00"}]
