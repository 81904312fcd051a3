"""Which memories an answer used: every rule in English and Chinese, and what holds for any text."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from memory_middleware.embedding.local import LocalEmbeddings
from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.references import (
    Injected,
    Rarity,
    Reference,
    ReferenceDetector,
    ReferenceSettings,
)
from memory_middleware.remember.references.numbers import read_numbers
from memory_middleware.schemas import MemoryItem, MemoryRecord
from memory_middleware.testing import HashEmbeddings
from tests.support import ROOT

LOCAL = LocalEmbeddings()


class Scripted(Embeddings):
    """Vectors by hand: each text near to the axis of the first key it holds; counts its calls."""

    def __init__(self, axes: dict[str, list[float]]) -> None:
        self._axes = axes
        self.calls: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        return [next((axis for key, axis in self._axes.items() if key in text), [0.0, 0.0, 0.0, 1.0]) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def verdict(query: str, answer: str, memory: str, embed: Embeddings | None = None) -> Reference:
    return ReferenceDetector(embed=embed).detect(answer, [Injected("m", memory)], query=query)[0]


def used(query: str, answer: str, memory: str) -> bool:
    return verdict(query, answer, memory).referenced


USED = {
    "a value": ("Where do I live?", "You live in Lisbon.", "The user lives in Lisbon."),
    "a value, zh": ("我住在哪里？", "你住在上海。", "用户住在上海。"),
    "a bare name": ("What is my dog called?", "Bruno!", "The user's dog is called Bruno."),
    "a bare name, zh": ("我的狗叫什么？", "布鲁诺！", "用户的狗叫布鲁诺。"),
    "words": ("Any plans?", "You wanted to repaint the balcony.", "The user wants to repaint the balcony."),
    "words, zh": ("有什么安排？", "你说过要重新粉刷阳台。", "用户打算重新粉刷阳台。"),
    "a code": ("Which branch?", "Use fix/LDG-417.", "The branch of the user's team is fix/LDG-417."),
    "a quoted phrase": ("A motto?", "Go with “all in all”, as ever.", 'The user\'s motto is "all in all".'),
    "a quoted phrase, zh": ("口号呢？", "就用“慢就是稳”。", "用户的口号是“慢就是稳”。"),
    "a list item": ("Pack my bag.", "- tent\n- insulin\n- rope", "The user carries insulin."),
    "a long number": ("What is it?", "It is 13800224466.", "The phone of the hotel is 13800224466."),
    "English into Chinese": ("我住在哪里？", "你住在柏林。", "The user lives in Berlin."),
    "Chinese into English": ("What does my wife do?", "She is a lawyer.", "用户的妻子是律师。"),
    "a denial of a denial": ("Order for me.", "No mushrooms for you.", "The user does not eat mushrooms."),
    "a denial of a denial, zh": ("帮我点菜。", "没放香菜。", "用户不吃香菜。"),
    "what is left out": ("Lunch?", "It has no meat at all.", "The user is vegetarian."),
    "what is left out, zh": ("吃什么？", "这道菜不含牛奶。", "用户乳糖不耐受。"),
    "a yes": ("Do I have a dog?", "Yes, you do.", "The user has a dog."),
    "a yes, zh": ("我对青霉素过敏吗？", "是的。", "用户对青霉素过敏。"),
    "a yes by the verb, zh": ("我养狗吗？", "养的。", "用户养狗。"),
    "a yes to a number": ("Is the demo on 3 May?", "Correct.", "The demo is on 3 May."),
    "another person who is named": ("Who plays?", "Your brother, the cello.", "The user's brother plays the cello."),
    "Chinese without a pronoun": ("出门要带什么？", "- 隐形眼镜护理液", "用户戴隐形眼镜，需要护理液。"),
    "after a refusal": ("Who am I?", "I don't know your age, but you live in Lisbon.", "The user lives in Lisbon."),
    "after a refusal, zh": ("我是谁？", "我不知道你的年龄，但是你住在上海。", "用户住在上海。"),
    "no question known": ("", "You live in Lisbon.", "The user lives in Lisbon."),
    "a reminder": ("Anything on?", "Don't forget the gospel choir.", "The user sings in a gospel choir."),
}  # fmt: skip

UNUSED = {
    "an echo": ("How is coffee grown?", "Coffee grows on shrubs; many like coffee.", "The user likes coffee."),
    "an echo, zh": ("咖啡是怎么种的？", "咖啡长在灌木上，很多人喜欢咖啡。", "用户喜欢咖啡。"),
    "a refusal": ("Where do I live?", "I don't know where you live.", "The user lives in Lisbon."),
    "a refusal, zh": ("我住在哪里？", "我不知道你住在哪里。", "用户住在上海。"),
    "never told": ("Where do I live?", "You never told me about Lisbon.", "The user lives in Lisbon."),
    "never told, zh": ("我住在哪里？", "你从来没跟我提过上海。", "用户住在上海。"),
    "a refusal of what stands before": (
        "怎么选？", "要看你的风险承受能力，这些我还不了解。", "用户的风险承受能力是中等。"
    ),
    "a denial": ("Am I married?", "You are not married to Elena.", "The user is married to Elena."),
    "a denial, zh": ("我会乐器吗？", "你不会拉小提琴。", "用户会拉小提琴。"),
    "another value": ("My pets?", "Your cat Milo.", "The user's dog is called Bruno."),
    "another value, zh": ("我养了什么？", "你家猫咪叫米洛。", "用户的狗叫布鲁诺。"),
    "another number": ("How old am I?", "You are 34 years old.", "The user is 41 years old."),
    "another number, zh": ("我今年多大？", "你今年34岁。", "用户今年41岁。"),
    "common knowledge": ("What is the capital of France?", "It is Paris.", "The user's favourite city is Paris."),
    "common knowledge, zh": ("法国的首都是哪里？", "是巴黎。", "用户最喜欢的城市是巴黎。"),
    "a namesake": ("Who leads Apple?", "Tim Cook has led Apple since 2011.", "Tim is the user's tennis coach."),
    "a namesake, zh": ("谁画的？", "是毕加索画的。", "用户的室友外号叫毕加索。"),
    "a number by chance": ("How long?", "Simmer it for 12 minutes.", "The user's lease runs for 12 months."),
    "a number by chance, zh": ("要煮多久？", "煮12分钟。", "用户的租约是12个月。"),
    "somebody else": ("Where is my sister?", "Your sister lives in Berlin.", "The user's brother lives in Berlin."),
    "somebody else, zh": ("我妹妹住在哪里？", "你妹妹住在北京。", "用户的哥哥住在北京。"),
    "the user is not the mother": (
        "When is my mother's birthday?", "Your mother's birthday is 3 May.", "The user's birthday is on 3 May."
    ),
    "a yes to the world": ("Is it true that dogs dream?", "Yes, they do.", "The user has a dog."),
    "a yes to something more": ("Can my dog eat grapes and raisins?", "Yes.", "The user has a dog."),
    "a yes without the number": ("Is the demo soon?", "Yes.", "The demo is on 3 May."),
    "nothing in common": ("Write a haiku.", "Soft rain on the roof.", "The user prefers window seats."),
    "nothing in common, zh": ("写首诗。", "檐下滴答响。", "用户坐飞机喜欢靠窗。"),
    "what is put in": ("Lunch?", "The meat there is great.", "The user is vegetarian."),
}  # fmt: skip


@pytest.mark.parametrize("case", USED.values(), ids=USED.keys())
def test_a_memory_that_shows_in_the_answer_is_referenced(case: tuple[str, str, str]) -> None:
    assert verdict(*case).referenced, verdict(*case)


@pytest.mark.parametrize("case", UNUSED.values(), ids=UNUSED.keys())
def test_a_memory_that_does_not_show_is_not_referenced(case: tuple[str, str, str]) -> None:
    assert not verdict(*case).referenced, verdict(*case)


RULES = {
    "euro": ("What does it cost?", "It is €14.50.", "Always show prices in euro.", "Show prices in yen."),
    "yuan": ("多少钱？", "官方价格是 ¥6,899。", "用户希望价格用人民币显示。", "用户希望价格用美元显示。"),
    "kilometres": ("How far?", "About 55 km.", "Distances in kilometres, never miles.", "Distances in miles."),
    "celsius": ("How hot?", "Around 31 °C.", "Temperatures in Celsius.", "Temperatures in Fahrenheit."),
    "bullets": ("How?", "- one\n- two", "The user prefers bullet points.", "The user dislikes bullet points."),
    "bullets, zh": ("怎么做？", "- 一\n- 二", "用户喜欢分点回答。", "用户不喜欢分点回答。"),
    "table": ("Compare.", "| a | b |\n|---|---|", "Comparisons as tables.", "The table is oak."),
    "numbered": ("How?", "1. go\n2. stop", "Answer in a numbered list.", "Answer in one line."),
    "iso": ("When?", "On 2004-11-17.", "Write dates in ISO format.", "Write dates in words."),
    "24 hours": ("When?", "At 18:30.", "Use a 24-hour clock.", "Use a 12-hour clock."),
    "12 hours": ("When?", "At 6:30 pm.", "Use a 12-hour clock.", "Use a 24-hour clock."),
    "metric": ("How heavy?", "It weighs 12 kg.", "Use metric units.", "Use imperial units."),
    "emoji": ("Hi!", "Hello \U0001f600", "The user likes emojis.", "The user likes poems."),
    "code": ("Reverse it.", "```python\npass\n```", "Code examples in Python.", "Code examples in Ruby."),
    "Chinese": ("Explain a mutex.", "互斥锁是一种同步机制。", "用户要求一律用中文回答。", "用户要求一律用英文回答。"),
    "English": ("什么是互斥锁？", "A mutex is a lock.", "用户要求一律用英文回答。", "用户要求一律用中文回答。"),
}  # fmt: skip


@pytest.mark.parametrize("case", RULES.values(), ids=RULES.keys())
def test_a_rule_that_the_answer_follows_is_referenced(case: tuple[str, str, str, str]) -> None:
    query, answer, rule, other = case
    assert verdict(query, answer, rule).signals["rule"] > 0
    assert not used(query, answer, other)


@pytest.mark.parametrize(
    ("query", "answer", "memory"),
    [
        ("Give me bullet points.", "- one\n- two", "The user prefers bullet points."),
        ("How much is it in euro?", "It is €14.50.", "Always show prices in euro."),
        ("Reverse it in python.", "```python\npass\n```", "Code examples in Python."),
        ("什么是互斥锁？", "互斥锁是一种同步机制。", "用户要求一律用中文回答。"),
        ("", "互斥锁是一种同步机制。", "用户要求一律用中文回答。"),
        ("Reverse it.", "def reverse(): pass", "Code examples in Python."),
    ],
    ids=["bullets", "euro", "code", "Chinese", "no question known", "no fence"],
)
def test_what_the_question_asks_for_follows_no_rule(query: str, answer: str, memory: str) -> None:
    assert not used(query, answer, memory)


WRITINGS = {
    "dates": ["3 May", "May 3", "May 3rd, 2026", "3rd of May 2026", "2026-05-03", "2026/5/3"],
    "dates, zh": ["3 May", "5月3日", "五月三号", "2026年5月3日", "二〇二六年五月三日"],
    "months": ["in May", "5月", "五月"],
    "months of a year": ["October 2026", "2026年10月", "二〇二六年十月"],
    "years": ["2026", "2026年", "二〇二六年"],
    "times": ["16:30", "4:30 pm", "4:30PM", "half past four", "下午四点半", "下午4点30分", "16点30"],
    "quarters": ["quarter past nine", "9:15", "九点一刻", "早上九点十五分"],
    "noon": ["12:00", "12pm", "中午十二点"],
    "one": ["13:00", "1 pm", "中午1点", "下午一点"],
    "midnight": ["12 am", "0:00"],
    "three": ["3 cats", "three cats", "三只猫", "3只猫"],
    "ten": ["10 people", "ten people", "十个人"],
    "twelve": ["12 guests", "twelve", "a dozen", "十二位"],
    "twenty-three": ["23", "twenty-three", "twenty three", "二十三"],
    "thousands": ["8500", "8,500", "8500.0", "八千五百", "八千五"],
    "with a gap": ["105 kg", "一百零五公斤"],
    "two hundred and fifty": ["250", "两百五", "二百五十"],
    "tens of thousands": ["23000", "23,000", "两万三", "二万三千"],
    "more": ["10005", "一万零五"],
    "very many": ["120000000", "一亿两千万"],
    "a decimal": ["3.5 litres", "3.50"],
}  # fmt: skip


@pytest.mark.parametrize("writings", WRITINGS.values(), ids=WRITINGS.keys())
def test_one_number_is_read_alike_in_every_writing(writings: list[str]) -> None:
    read = [read_numbers(text)[0] for text in writings]
    assert all(len(numbers) == 1 for numbers in read), dict(zip(writings, read, strict=True))
    assert frozenset.intersection(*(numbers[0] for numbers in read))


@pytest.mark.parametrize(
    "text",
    ["no one", "一起", "有一点", "三亚", "千万", "half past noon", "9:75", "99:10", "May I?", "十三月", "99点", "7K3"],
)
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    assert read_numbers(text) == ([], text)


def test_numbers_that_are_no_date_stay_apart() -> None:
    assert read_numbers("2026-13-45")[0] == []
    assert read_numbers("千万别忘了 3 cats")[0] == [frozenset({"3"})]
    assert read_numbers("on 31 May")[0] != read_numbers("on 30 May")[0]
    assert read_numbers("1 am")[0] != read_numbers("1 pm")[0]


def test_a_verdict_explains_itself() -> None:
    found = verdict("Where do I live?", "You live in Lisbon.", "The user lives in Lisbon.")
    assert found.memory_id == "m"
    assert found.score >= ReferenceSettings().threshold
    assert set(found.signals) == {"names", "coverage"}
    assert found.matched == ("lisbon",)
    away = verdict("Where is my sister?", "Your sister lives in Berlin.", "The user's brother lives in Berlin.")
    assert away.signals["stranger"] < 1.0 and away.matched == ("berlin", "live")
    world = verdict("What is the capital of France?", "It is Paris.", "The user's favourite city is Paris.")
    assert world.signals["untied"] < 1.0


def test_a_quotation_is_told_as_such() -> None:
    memory = "The user is so so."
    found = verdict("How?", f"I noted: {memory}", memory)
    assert found.signals["verbatim"] == found.score == 1.0 and memory in found.matched
    assert not used(memory, f"I noted: {memory}", memory), "an echo"
    assert verdict("A motto?", "Say 慢就是稳!", "口号是“慢就是稳”").signals["quoted"] > 0
    assert "quoted" not in verdict("A motto?", "Say 快!", "口号是“慢就是稳”").signals


def test_rare_terms_say_more_than_frequent_ones() -> None:
    rarity = Rarity.of_texts(["The team reviews Halyard."] + ["The user's project is Atlas."] * 99)
    assert rarity.total == 100
    assert rarity.of("halyard") == 1.0 == rarity.of("never seen")
    assert rarity.of("halyard") > rarity.of("atlas") > 0
    assert 0 < rarity.of("like") <= rarity.of("atlas"), "common words say little without being counted"
    detector = ReferenceDetector()
    memory = Injected("m", "The user's project is Atlas.")
    score = detector.detect("It is Atlas.", [memory], query="Which?")[0].score
    assert detector.detect("It is Atlas.", [memory], query="Which?", rarity=rarity)[0].score < score


def test_the_terms_of_an_index_serve_as_rarity_too() -> None:
    rarity = Rarity(100, {"lisbon": 90})
    memory = Injected("m", "The user lives in Lisbon.")
    plain, rare = (
        ReferenceDetector().detect("In Lisbon.", [memory], query="Where am I?", rarity=each)[0]
        for each in (Rarity(), rarity)
    )
    assert rare.score < plain.score


def test_records_and_items_are_memories_too() -> None:
    record = MemoryRecord.create("owner", "The user lives in Lisbon.")
    item = MemoryItem(id="i", content_summary="The user's dog is called Bruno.", metadata={})
    found = ReferenceDetector().detect("Lisbon, with Bruno.", [Injected.of(record), Injected.of(item)], query="And me?")
    assert [(each.memory_id, each.referenced) for each in found] == [(record.id, True), ("i", True)]


@pytest.mark.parametrize(
    "wrong", [{"threshold": 0.0}, {"similarity": 1.5}, {"max_answer_chars": 0}, {"max_sentences": 0}], ids=str
)
def test_settings_that_make_no_sense_are_told(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        ReferenceSettings(**wrong)  # type: ignore[arg-type]


def test_a_long_answer_is_read_at_both_ends() -> None:
    detector = ReferenceDetector(settings=ReferenceSettings(max_answer_chars=400))
    filling = "Nothing more to say here. " * 100
    memory = Injected("m", "The user lives in Lisbon.")
    for answer, found in (
        (f"You live in Lisbon. {filling}", True),
        (f"{filling} You live in Lisbon.", True),
        (f"{filling} You live in Lisbon. {filling}", False),
    ):
        assert detector.detect(answer, [memory], query="Where do I live?")[0].referenced is found


def test_endless_memories_and_questions_are_cut() -> None:
    endless = "Nothing more to say here. " * 1000
    assert used(f"Where do I live? {endless}", "In Lisbon.", f"The user lives in Lisbon. {endless}")
    assert verdict(endless, "In Lisbon.", f"{endless} The user lives in Lisbon.").matched == ()
    assert verdict(f"{endless} Lisbon?", "In Lisbon.", "The user lives in Lisbon.").matched == ("lisbon",)


def test_a_paraphrase_is_found_by_meaning_in_one_call() -> None:
    embed = Scripted(
        {"night owl": [1.0, 0.0, 0.0, 0.0], "after dark": [0.9, 0.1, 0.0, 0.0], "tea": [0.0, 1.0, 0.0, 0.0]}
    )
    memories = [Injected("owl", "The user is a night owl."), Injected("tea", "The user drinks tea.")]
    answer = "Take the last slot. You shine after dark."
    found = ReferenceDetector(embed=embed).detect(answer, memories, query="Which slot?")
    assert [each.referenced for each in found] == [True, False]
    assert found[0].signals["likeness"] > 0.9 and found[1].score == 0.0
    assert len(embed.calls) == 1
    assert not any(each.referenced for each in ReferenceDetector().detect(answer, memories, query="Which slot?"))
    again = ReferenceDetector(embed=embed).detect(answer, memories)
    assert [each.referenced for each in again] == [True, False], "the question need not be known"


@pytest.mark.parametrize(
    ("query", "answer", "memory"),
    [
        ("My favourite season?", "You like winter most.", "The user's favourite season is autumn."),
        ("A tip?", "You should visit the harbour.", "The user's boat lies in Genoa."),
        ("A tip?", "Ships need much care.", "The user owns a boat."),
        ("A tip?", "You have no ship.", "The user owns a boat."),
        ("A tip?", "I don't know.", "The user owns a boat."),
        ("A tip?", "You should sail more.", "Ben sails a boat."),
        ("给点建议？", "你该出海。", "用户有一条船。"),
    ],
    ids=["the topic is asked", "a name", "not to the user", "denied", "refused", "somebody else", "not its language"],
)
def test_meaning_alone_does_not_decide(query: str, answer: str, memory: str) -> None:
    embed = Scripted({"": [1.0, 0.0, 0.0, 0.0]})
    embed.multilingual = False  # type: ignore[attr-defined]
    assert not verdict(query, answer, memory, embed).referenced


def test_a_multilingual_embedder_reads_chinese() -> None:
    embed = Scripted({"晕车": [1.0, 0.0, 0.0, 0.0], "容易吐": [1.0, 0.1, 0.0, 0.0]})
    assert verdict("坐什么去？", "还是高铁吧，你坐久了容易吐。", "用户会晕车。", embed).referenced
    embed = Scripted({"Genoa": [1.0, 0.0, 0.0, 0.0], "热那亚": [1.0, 0.1, 0.0, 0.0]})
    assert verdict("去哪儿？", "你该回热那亚。", "The user comes from Genoa.", embed).referenced


def test_a_denial_can_paraphrase_a_denial() -> None:
    embed = Scripted({"dislikes": [1.0, 0.0, 0.0, 0.0], "never touch": [1.0, 0.1, 0.0, 0.0]})
    assert verdict("A gift?", "You never touch perfume.", "The user dislikes scents.", embed).referenced


def test_the_embedder_is_not_asked_when_words_decide() -> None:
    embed = Scripted({})
    detector = ReferenceDetector(embed=embed)
    assert detector.detect("You live in Lisbon.", [Injected("m", "The user lives in Lisbon.")])[0].referenced
    assert not detector.detect("You live in Lisbon.", []) and not embed.calls


def test_the_local_embedder_finds_more_paraphrases() -> None:
    case = ("A phone plan?", "One for calls abroad, as you phone family so often.", "The user often calls relatives.")
    assert not verdict(*case).referenced
    assert verdict(*case, LOCAL).referenced


def test_the_labelled_pairs_are_told_apart() -> None:
    lines = (ROOT / "benchmarks" / "data" / "references.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert len(pairs) >= 240 and sum(pair["held_out"] for pair in pairs) >= 80
    assert abs(sum(pair["lang"] == "zh" for pair in pairs) / len(pairs) - 0.5) < 0.1
    for held, least in ((False, 0.9), (True, 0.85)):
        chosen = [pair for pair in pairs if pair["held_out"] == held]
        found = [used(pair["query"], pair["answer"], pair["memory"]) for pair in chosen]
        right = sum(each and pair["used"] for each, pair in zip(found, chosen, strict=True))
        assert 2 * right / (sum(found) + sum(pair["used"] for pair in chosen)) >= least


ANY = st.text(max_size=80) | st.text("你我不没是的住在3三月日点半aB .,?!，。“”\n-|`:€", max_size=80)
NOUNS = ("harpsichord", "zeppelin", "quokka", "Ljubljana", "marzipan", "trebuchet", "Xanthippe", "oboe")
OTHERS = ("granite", "tulip", "ferry", "copper", "Montevideo", "lantern", "vinegar", "saddle")


@given(answer=ANY, query=ANY, memories=st.lists(ANY, max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_text_gets_a_verdict(answer: str, query: str, memories: list[str]) -> None:
    shown = [Injected(str(at), text) for at, text in enumerate(memories)]
    found = ReferenceDetector(embed=HashEmbeddings()).detect(answer, shown, query=query)
    assert [each.memory_id for each in found] == [each.id for each in shown]
    assert all(0.0 <= each.score <= 1.0 for each in found)
    assert all(each.referenced == (each.score >= ReferenceSettings().threshold) for each in found)


@given(st.lists(st.sampled_from(NOUNS), min_size=1), st.lists(st.sampled_from(OTHERS), min_size=1))
def test_texts_without_a_common_word_have_no_reference(mine: list[str], theirs: list[str]) -> None:
    assert not used("What now?", f"See {' '.join(theirs)}.", f"The user owns {' '.join(mine)}.")


@given(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=5, unique=True), st.sampled_from(OTHERS))
def test_a_quotation_that_the_question_does_not_hold_is_a_reference(words: list[str], asked: str) -> None:
    memory = f"The user owns {' and '.join(words)}"
    assert used(f"What about the {asked}?", f"As you said: {memory}. Good.", memory)


@given(st.lists(st.sampled_from(NOUNS), max_size=4), st.lists(st.sampled_from(NOUNS), max_size=3), st.randoms())
def test_the_order_of_memories_does_not_matter(said: list[str], owned: list[str], chance: random.Random) -> None:
    memories = [Injected(str(at), f"The user owns a {noun}.") for at, noun in enumerate([*owned, *OTHERS])]
    mixed = list(memories)
    chance.shuffle(mixed)
    one, other = (_by_id(f"You have {' '.join(said)}.", each) for each in (memories, mixed))
    assert one == other


def _by_id(answer: str, memories: Sequence[Injected]) -> dict[str, Reference]:
    found = ReferenceDetector(embed=HashEmbeddings()).detect(answer, memories, query="What?")
    return {each.memory_id: each for each in found}


@given(answer=ANY, query=ANY, memory=ANY)
@settings(max_examples=50, deadline=None)
def test_both_colours_say_the_same(answer: str, query: str, memory: str) -> None:
    detector = ReferenceDetector(embed=HashEmbeddings())
    shown = [Injected("m", memory), Injected("n", "The user is a night owl.")]
    assert asyncio.run(detector.adetect(answer, shown, query=query)) == detector.detect(answer, shown, query=query)


@given(query=ANY, memory=ANY, blank=st.sampled_from(["", " ", "\n\n", "。", "…"]))
def test_an_empty_answer_references_nothing(query: str, memory: str, blank: str) -> None:
    assert not verdict(query, blank, memory, HashEmbeddings()).referenced
