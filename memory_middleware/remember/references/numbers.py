"""Numbers, dates and times of day in one writing: "3 May", "May 3rd", "五月三号" and "2026-05-03" meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

__all__ = ["Number", "read_numbers"]

Number = frozenset[str]
"""The ways in which one mention may be understood; two mentions agree if they share one."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)"
)
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: at for at, word in enumerate(_UNITS)} | {word: 10 * at for at, word in enumerate(_TENS, 2)}
_WORDS |= {"dozen": 12, "hundred": 100, "thousand": 1000}
_ZH = {char: at for at, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_ZH_TIMES = {"十": 10, "百": 100, "千": 1000}
_ZH_DIGITS = "〇零一二两三四五六七八九"
_ZH_ALL = _ZH_DIGITS + "十百千万亿"
_SMALL = rf"(?:\d{{1,2}}|[{_ZH_DIGITS}十]{{1,3}})"
_SINGLE = "二两三四五六七八九十"
_MEASURES = "个只条天年月日号点岁人次本台张位名周小分秒块元楼路公米斤层家件套辆间门双把瓶杯倍页"

_PATTERNS = {
    "iso": r"(?<![\d.])\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?![\d])",
    "zh_date": rf"(?:(?:\d{{4}}|[{_ZH_DIGITS}]{{4}})年)?(?<![个\d]){_SMALL}月(?:{_SMALL}[日号])?",
    "zh_year": rf"(?:\d{{4}}|[{_ZH_DIGITS}]{{4}})年",
    "day_month": rf"(?<![\d.])\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}}\b)?",
    "month_day": rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?",
    "month": rf"\b(?:(?:in|by|until|before|since|last|next|this) May|(?!May){_MONTH})\b(?: \d{{4}}\b)?",
    "zh_time": rf"(?:凌晨|早上|上午|中午|下午|傍晚|晚上)?(?<!有){_SMALL}点(?:半|钟|一刻|{_SMALL}分?)?",
    "time": r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])(?: ?[aApP]\.?[mM]\b)?|(?<![\d:])\d{1,2} ?[aApP][mM]\b",
    "past": r"\b(?:half|quarter) past [a-z]{3,6}\b",
    "digits": r"(?<![A-Za-z\d.])(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,20})(?:\.\d{1,9})?(?![A-Za-z]{0,12}\d)",
    "zh_number": rf"[{_ZH_ALL}]{{1,12}}",
    "words": rf"\b(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS[1:10])})|{'|'.join(_WORDS)})\b",
}


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{_PATTERNS[name]})" for name in names), re.ASCII)


_ANY = _any_of(_PATTERNS)
_ANY_ENGLISH = _any_of(name for name in _PATTERNS if not name.startswith("zh_"))
_DIGIT = re.compile(rf"[\d{_ZH_DIGITS}十]", re.ASCII)
_LETTERS = re.compile(r"[A-Za-z]+")
_MONTH_NAMES = frozenset(_MONTH[3:-1].lower().split("|"))
_TELLING = _MONTH_NAMES | _WORDS.keys() | {"past"}
_DIGITS = re.compile(r"\d+", re.ASCII)


def read_numbers(text: str) -> tuple[list[Number], str]:
    """Find the numbers of a text, and give the text without them.

    Single Chinese digits count only before a measure word, and "one" and "一" never: they are mostly no numbers.

    Args:
        text: Any text, its full-width digits already made plain.
    """
    if _DIGIT.search(text) is None and _TELLING.isdisjoint(_LETTERS.findall(text.lower())):
        return [], text
    numbers: list[Number] = []

    def take(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        following = text[found.end() : found.end() + 1]
        forms = _READERS[kind](found.group(), following)
        if not forms:
            return found.group()
        numbers.append(frozenset(forms))
        return " "

    return numbers, (_ANY_ENGLISH if text.isascii() else _ANY).sub(take, text)


def _iso(written: str, _: str) -> list[str]:
    year, month, day = (int(part) for part in _DIGITS.findall(written))
    return _dated(month, day, year)


def _english_date(written: str, _: str) -> list[str]:
    name = next(word for word in _LETTERS.findall(written) if word[:3] in _MONTHS)
    numbers = [int(part) for part in _DIGITS.findall(written)]
    day = next((number for number in numbers if number <= 31), None)
    year = next((number for number in numbers if number > 31), None)
    return _dated(_MONTHS.index(name[:3]) + 1, day, year)


def _chinese_date(written: str, _: str) -> list[str]:
    head, _, rest = written.rpartition("年")
    month, _, day = rest.partition("月")
    return _dated(_small(month), _small(day[:-1]) if day else None, _small(head) if head else None)


def _chinese_year(written: str, _: str) -> list[str]:
    return [str(_small(written[:-1]))]


def _dated(month: int, day: int | None, year: int | None) -> list[str]:
    """Name a date by month and day; the year is told only where there is no day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return []
    if day is not None:
        return [f"{month:02}-{day:02}"]
    return [f"{year}-{month:02}"] if year else [f"month {month}"]


def _clock(written: str, _: str) -> list[str]:
    hour, minute = ([int(part) for part in _DIGITS.findall(written)] + [0])[:2]
    half = written.lower().rstrip("m.")[-1]
    if hour > 23 or minute > 59:
        return []
    if half in "ap":
        return [f"{hour % 12 + 12 * (half == 'p'):02}:{minute:02}"]
    return _either(hour, minute)


def _either(hour: int, minute: int) -> list[str]:
    """A clock without a half of the day may mean both."""
    hours = {hour, hour + 12} if 0 < hour < 12 else {hour}
    return [f"{each:02}:{minute:02}" for each in sorted(hours)]


def _past(written: str, _: str) -> list[str]:
    part, _, hour = written.split(" ")
    return _either(_WORDS[hour], 30 if part == "half" else 15) if 0 < _WORDS.get(hour, 0) < 13 else []


def _chinese_clock(written: str, _: str) -> list[str]:
    day = written[:2] if written[0] in "凌早上中下傍晚" else ""
    hour_text, _, rest = written[len(day) :].partition("点")
    if hour_text == "一" and not day and not rest:
        return []  # a little
    hour, minute = _small(hour_text), _minutes(rest)
    if hour > 24 or minute > 59:
        return []
    if day in ("下午", "傍晚", "晚上", "中午") and hour < 12:
        return [f"{hour + 12 * (day != '中午' or hour < 3):02}:{minute:02}"]
    return [f"{hour:02}:{minute:02}"] if day else _either(hour % 24, minute)


def _minutes(rest: str) -> int:
    known = {"半": 30, "一刻": 15, "": 0, "钟": 0}
    return known[rest] if rest in known else _small(rest.rstrip("分"))


def _digits(written: str, _: str) -> list[str]:
    whole, _, part = written.replace(",", "").partition(".")
    part = part.rstrip("0")
    return [(whole.lstrip("0") or "0") + (f".{part}" if part else "")]


def _english_words(written: str, _: str) -> list[str]:
    return [str(value)] if (value := sum(_WORDS[word] for word in re.split("[- ]", written))) != 1 else []


def _chinese_number(written: str, following: str) -> list[str]:
    if len(written) == 1:
        counts = written in _SINGLE and following != "" and following in _MEASURES
        return [str(_chinese_value(written))] if counts else []
    if not any(char in _ZH or char == "十" for char in written):
        return []  # "千万", "百": hardly ever a number
    return [str(_chinese_value(written))]


def _chinese_value(written: str) -> int:
    if all(char in _ZH for char in written):
        return int("".join(str(_ZH[char]) for char in written))
    for unit, worth in (("亿", 10**8), ("万", 10**4)):
        if unit in written:
            head, _, tail = written.partition(unit)
            # "两万三" leaves the last unit out.
            rest = _ZH[tail] * worth // 10 if len(tail) == 1 and tail in _ZH else _chinese_value(tail) if tail else 0
            return (_chinese_value(head) if head else 1) * worth + rest
    return _below_ten_thousand(written)


def _below_ten_thousand(written: str) -> int:
    total, digit, last = 0, 0, 1
    for char in written:
        if char in _ZH_TIMES:
            last = _ZH_TIMES[char]
            total, digit = total + (digit or 1) * last, 0
        else:
            digit, last = _ZH[char], last if _ZH[char] else 10
    return total + digit * (last // 10 if last > 10 else 1)


def _small(written: str) -> int:
    return int(written) if written.isdecimal() else _chinese_value(written)


_READERS: dict[str, Callable[[str, str], list[str]]] = {
    "iso": _iso,
    "zh_date": _chinese_date,
    "zh_year": _chinese_year,
    "day_month": _english_date,
    "month_day": _english_date,
    "month": _english_date,
    "zh_time": _chinese_clock,
    "time": _clock,
    "past": _past,
    "digits": _digits,
    "zh_number": _chinese_number,
    "words": _english_words,
}
