"""How people refuse, deny, leave out and agree, in English and Chinese."""

from __future__ import annotations

import re

__all__ = [
    "agrees",
    "denies",
    "is_averse",
    "leaves_out",
    "refuses",
    "refuses_the_rest",
    "speaks_to_user",
    "split_clauses",
    "split_sentences",
]


class _Cue:
    """An expression in both languages; plain ASCII is searched for the English one alone, in half the time."""

    __slots__ = ("_both", "_english")

    def __init__(self, english: str, chinese: str) -> None:
        self._english = re.compile(english)
        self._both = re.compile(f"{english}|{chinese}")

    def is_in(self, text: str) -> bool:
        """Tell whether a text holds it."""
        return (self._english if text.isascii() else self._both).search(text) is not None


_SENTENCE = re.compile(r"[。!?\n]+|\.(?=\s|$)")
_CLAUSE = re.compile(
    r"[;、]|,(?!\d)|\s(?=(?:but|however|though|although|because|since|so|while)\s)|(?=但是|不过|因为|所以)"
)
_YOU = re.compile(r"\byours?\b|\byou\b|[你您]", re.ASCII)
_NOT = r"(?:do not|don['’]t|can['’]t|cannot|can not|could not|couldn['’]t|have not|haven['’]t|am not|['’]m not)"
_YOU_NOT = r"(?:have not|haven['’]t|did not|didn['’]t|have never|['’]ve never|never)"
_REFUSAL = _Cue(
    rf"\bi ?{_NOT} (?:yet |really |currently )?"
    r"(?:know|have|recall|remember|tell|say|find|see|sure|share|help|aware|able|store|certain)\b"
    r"|\bi have no\b|\bi (?:know|remember|recall|have|found|find) nothing\b"
    r"|\bi(?:['’]m| am) afraid\b|\bnot on file\b|\bunknown to me\b"
    r"|\bno (?:information|records?|memory|idea|sign|evidence|indication|mention)\b"
    rf"|\byou ?{_YOU_NOT} (?:yet )?(?:told|tell|mentioned?|shared?|said|say|given?|specif\w{{1,4}}|brought up)\b"
    r"|\b(?:could|can|would) you (?:please )?(?:tell|share|give|remind)\b|\bplease (?:share|let me know)\b",
    r"我(?:这里|这边)?(?:也|还|并|真的|暂时)?(?:不|没有?)(?:太|是很|大)?"
    r"(?:知道|清楚|确定|记得|了解|能|会|便|方便|有|掌握|查到|找到|存|关于)"
    r"|^不(?:太)?(?:知道|清楚|记得|确定)|我(?:这里|这边)没|没有?[^,。]{0,16}(?:信息|记录|资料|印象|迹象|数据)|没(?:有|跟我|和我|对我|听你){0,2}(?:告诉|提|说|透露)"
    r"|从没|从来没|从未|说不上来|无法|帮不了|不便|未(?:提|记录|告)|(?:能|可以|请)[^,。]{0,3}告诉我|没有?关于",
)
_POINTING = re.compile(r"(?:that|this|these|those|it|which)\b|[这那]")
_NEGATION = _Cue(
    r"\b(?:not(?! only| just)|no(?! doubt| problem| worries)|never|none|neither|nor|cannot|without)\b"
    r"|n['’]t\b(?! forget| worry| miss)",
    r"(?<![差要好是能会])不(?![错过仅但同少如断管妨耐]|好意思)|没(?!错|问题|关系)|(?<![特级区性识告])别(?![人的墅忘])|并非|未(?!来)",
)
_LEFT_OUT = _Cue(
    r"\b(?:no|not|without|free|avoid\w{0,3}|skip\w{0,4}|instead|rather than|le(?:ft|ave) out|substituted?|replaced?)\b"
    r"|n['’]t\b|-free\b",
    r"不含|没有|不放|没放|无|免|避开|代替|换成|去掉",
)
_AVERSE = re.compile(
    r"\b(?:not?|never|cannot|without|avoid\w{0,3}|allerg\w{1,4}|dislikes?|hates?|intoleran\w{1,3}|vegetarian|vegan|"
    r"afraid|fears?|quit|stopped|against|free)\b|n['’]t\b|过敏|讨厌|不|没|忌|别|怕|戒|避|素|无",
)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|correct|right|exactly|indeed|absolutely|of course|that(?:['’]s| is) (?:right|correct|true))\b"
    r"|\W*(?:是的|是呀|对(?!不起)|没错|嗯|当然)",
    re.IGNORECASE,
)
_ECHOED_YES = re.compile(r"([\u4e00-\u9fff])(?:的|了|过)?(?:呀|啊|呢)?[。,!]?\s*$")


def split_sentences(text: str) -> list[str]:
    """Split a text at the ends of sentences and lines."""
    return _SENTENCE.split(text)


def split_clauses(sentence: str) -> list[str]:
    """Split a sentence into parts that say one thing each."""
    return [part for piece in _CLAUSE.split(sentence) if (part := piece.strip())]


def speaks_to_user(sentence: str) -> bool:
    """Tell whether a sentence speaks to the reader."""
    return _YOU.search(sentence) is not None


def refuses(clause: str) -> bool:
    """Tell whether a clause says that something is not known or not told."""
    return _REFUSAL.is_in(clause)


def refuses_the_rest(clause: str) -> bool:
    """Tell whether a clause that refuses speaks of the clauses before it."""
    return _POINTING.match(clause) is not None


def denies(clause: str) -> bool:
    """Tell whether a clause says that something is not so."""
    return _NEGATION.is_in(clause)


def leaves_out(clause: str) -> bool:
    """Tell whether a clause says that something is left out or replaced."""
    return _LEFT_OUT.is_in(clause)


def is_averse(memory: str) -> bool:
    """Tell whether a memory says what is not, or what to avoid, so that a denial can use it."""
    return _AVERSE.search(memory) is not None


def agrees(answer: str, question: str) -> bool:
    """Tell whether an answer opens with a yes, in Chinese also by the verb of the question."""
    if _YES.match(answer) is not None:
        return True
    echoed = _ECHOED_YES.match(answer)
    return echoed is not None and echoed[1] in question
