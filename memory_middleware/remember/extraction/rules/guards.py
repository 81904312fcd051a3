"""When to abstain: questions, suppositions, sarcasm, secrets, and what somebody else says or thinks."""

from __future__ import annotations

import re

__all__ = ["reports", "asks", "carries_on", "holds_secret", "is_sarcastic", "is_tag", "supposes", "supposes_whole"]

_SECRET = re.compile(
    r"\b(?:pass\s?(?:word|code|phrase)|passwd|pwd|api[\s_-]?key|secret(?:\s+key)?|access\s+token|auth\s+token"
    r"|bearer|private\s+key|pin(?:\s+(?:code|number))?|cvv|cvc|ssn"
    r"|social\s+security|credit\s+card|card\s+number|otp|one-time\s+code|seed\s+phrase|door\s+code|gate\s+code"
    r"|alarm\s+code|iban|passport\s+number)\b"
    r"|密码|口令|密钥|验证码|私钥|银行卡号|信用卡号|卡号|身份证号|助记词|\bsk-[A-Za-z0-9_-]{8,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{16,}|\bAKIA[0-9A-Z]{12,}|\bxox[abp]-"
    r"|(?<!\d)(?:\d[ -]?){15,18}\d(?!\d)|\beyJ[A-Za-z0-9_-]{10,}",
    re.IGNORECASE,
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\b|\bas if\b|\bsure,?\s+because\b|\bsaid no ?one ever\b|\bnot!\s*$|\U0001f644|\byeah,?\s*right\b"
    r"|\bjust\s+(?:what i (?:needed|wanted)|great|perfect|wonderful)\b"
    r"|\b(?:oh|yeah|sure|wow|great|ugh|right|because|totally|of course|clearly|obviously)\b[\s,!.]*(?:yeah|sure"
    r"|great|right|joy|wow)?[\s,!.]*(?:because\s+)?i\s+"
    r"(?:just|really|so+|absolutely|totally|truly|simply)\s+(?:love|adore|enjoy|live for|like)\b"
    r"|\bi\s+(?:just|so+|absolutely|totally|really|truly|simply)?\s*(?-i:LO+VE|ADORE|LIKE|ENJOY)\b"
    r"|\bi\s+just\s+lo+ve\s+(?:it\s+when|when|how|being|having to|getting|waiting)\b"
    r"|\b(?:best|favou?rite) (?:thing|part) ever\b.*\bnot\b|\bwhat (?:a joy|fun)\b|\bhow (?:lovely|wonderful"
    r"|nice) (?:it is )?to\b"
    r"|呵呵|我可(?:真是?|太|谢谢)|可太(?:喜欢|爱|棒|开心|高兴)|才怪|我谢谢|可真(?:行|棒|会|喜欢|爱)|真是(?:谢谢"
    r"|太谢谢|太好了呢|服了)|谁不(?:喜欢|爱|想)|(?:喜欢|爱)(?:死|惨)了?呢"
    r"|巴不得|求之不得呢|好一个|不要太(?:喜欢|爱)|最(?:喜欢|爱)[^,。]{0,6}(?:加班|堵车|早起|开会|排队|改需求|熬夜"
    r"|背锅|挨骂|被骂|写周报|写文档|改bug|通宵|出差|填表|报销)了|最(?:喜欢"
    r"|爱)[^,。]{0,8}了呢|反话",
    re.IGNORECASE,
)
_IF = re.compile(
    r"^\W{0,6}(?:and|but|so|also|well|ok|like|even|only|oh)?\W{0,6}(?:if|unless|in case|what if|say|assuming|provided"
    r"|let's say|suppose|imagine|were i|had i|should i|whenever|as long as|once)\b"
    r"|(?:^|[^不])(?:如果|要是|假如|倘若|若是|假使|万一|除非|就算|哪怕|即使|等我|等到)|的话$",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"就好了|\bif only\b|\bwould(?:n't)? (?:be|have been)\b.*\bif\b|\bi wish\b|该多好|但愿|\bone day\b|\bsomeday\b"
    r"|\bwhen i grow up\b|\bin (?:a|my) (?:past|next|previous|another) life\b|下辈子"
    r"|\bin this (?:example|scenario|game|story|case study)\b|\bfor example\b|\bfor instance\b|\be\.g\.|\bsuch as:"
    r"|\bquote\b|\blyrics?\b|\btranslat(?:e|es|ed|ing|ions?)\b|\bhow (?:do"
    r"|would) (?:you|i|we) say\b|\bproofread|\brephrase\b|\bparaphrase\b"
    r"|(?<![是名个位做当任])翻译(?!工作)|怎么说|造句|例句|歌词|这句话|这首歌|英文怎么|用[^,。]{1,4}语说|举个例子|比如说?我|打个比方|\bspelled\b"
    r"|\bsing\b|\bthe (?:song|book|movie|film|novel|episode|line|phrase|sentence|track)\b"
    r"|\b(?:song|book|movie|film|episode|track) (?:called|titled|named)\b"
    r"|\b(?:fake|dummy|placeholder|made[- ]up|fictional|fictitious|mock) (?:\w+ )?(?:address|data|names?|numbers?"
    r"|values?|profile|person|persona|users?|entry|entries|text|record|info|account|e-?mail|city|details|identity|example)\b",
    re.IGNORECASE,
)
_ASKS_EN = re.compile(
    r"^\W{0,6}(?:(?:and|but|so|also|well|ok|okay|oh|hey|hi|btw|like|or|then|now|maybe|please)\W+){0,7}(?:what"
    r"|what's|whats"
    r"|where|when(?=\s+(?:is|are|do|does|did|was|should|can))|who|who's|whose|why|how|which"
    r"|(?:do|does|did|can|could|would|will|shall|should|is|are|am|was|were|have|has|may|might|isn't|aren't|don't"
    r"|doesn't|didn't|haven't|won't|wouldn't|can't)\s+"
    r"(?:i|you|we|he|she|they|it|my|your|there|this|that|anyone|anybody|someone|the|these|those|people)\b"
    r"|any\s+(?:ideas|tips|suggestions|recommendations|chance))\b",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    r"吗|么$|什么|哪(?!怕)|谁|怎么|怎样|如何|多少|几(?:点|个|号|岁|月|时|天|年)|为啥|为何|是不是|有没有|能不能"
    r"|可不可以|要不要|会不会|该不该|对不对|好不好|行不行|是否|咋|(?<!没)啥(?!的|都|也|时候都)|来着$"
    r"|^(?![^,]*(?:在|还|正|着|可|才|都|有|做|用|刚|没)[^,]*呢$)[^,]*呢$|[是会能行]不$"
    r"|还是(?!会|很|挺|比较|喜欢|不|觉得|在|个|得)|求推荐|推荐一下|请问|帮我(?:查|看|算|推荐|找|想)"
)
_TAG = re.compile(
    r"^\W{0,6}(?:right|correct|no|yes|yeah|huh|eh|innit|true|ok(?:ay)?|isn't it|isn't that right|don't i|do i|am i"
    r"|aren't i|is that (?:right|correct|true)|or (?:am|do|is|not|was)\b.*|or)\W{0,6}$"
    r"|^\W{0,6}(?:对吧|是吧|对吗|是吗|对不对|是不是|没错吧|不是吗|对么|是么)\W{0,6}$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:wish|hope|want|would|'d|say|says|said|think|thinks|thought|heard|dream|dreamt|told|tells|asked"
    r"|believes?|claims?|wonder|pretend|might|could|should|if)\b"
    r"|想(?!念)|希望|说(?!话|[^,。]{0,4}语)|听说|觉得|以为|梦|问|告诉|假|要是|如果|打算|准备|考虑|应该|可以"
)


_REPORTS = re.compile(
    r"(?:\b(?:he|she|they|who|everyone|somebody|someone|(?-i:[A-Z][a-z]+)|\w+er)\s+(?:just\s+|always\s+|once\s+)?"
    r"(?:goes|says?|said|went|was like|is like|were like|replied|asked|yelled|wrote|told me|tells me|answered|screamed)"
    r"|[说问道喊讲写答])\W{0,6}$",
    re.IGNORECASE,
)


def reports(text: str) -> bool:
    """Tell whether a clause announces somebody's words, which reach to the end of its sentence."""
    return _REPORTS.search(text) is not None


def holds_secret(text: str) -> bool:
    """Tell whether a text holds or announces a password, a key or a card number."""
    return _SECRET.search(text) is not None


def is_sarcastic(text: str) -> bool:
    """Tell whether a sentence means the opposite of what it says."""
    return _SARCASM.search(text) is not None


def supposes(text: str) -> bool:
    """Tell whether a clause opens a supposition, which reaches to the end of its sentence."""
    return _IF.search(text) is not None


def supposes_whole(text: str) -> bool:
    """Tell whether a whole sentence is a wish, an example or about a text."""
    return _WISH.search(text) is not None


def asks(text: str, language: str) -> bool:
    """Tell whether a clause asks, with or without a question mark."""
    return (_ASKS_ZH if language == "zh" else _ASKS_EN).search(text) is not None


def is_tag(text: str) -> bool:
    """Tell whether a clause turns the statement before it into a question."""
    return _TAG.match(text) is not None


def carries_on(text: str) -> bool:
    """Tell whether the subject of a clause is still meant in the next: not after a wish or somebody's words."""
    return _ELSEWHERE.search(text) is None
