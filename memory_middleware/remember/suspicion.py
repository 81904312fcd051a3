"""Text that tries to steer an agent instead of telling something."""

from __future__ import annotations

import re

from memory_middleware.remember.sentences import sentences_of

__all__ = ["is_attack", "is_instruction", "without_attacks"]

_GAP = r"[^.!?。！？\n]{0,60}"
_GUARDS = r"(?:safety|security|confirmations?|approvals?|guardrails?|checks?)"
_OTHERS = r"(?:previous|prior|above|earlier|all|any|system|your)"
_RULES = r"(?:instructions?|rules?|prompts?|guidelines?|guardrails?|safety|policies)"
_PRIVATE = (
    r"(?:passwords?|credentials?|secrets?|api keys?|tokens?|private|conversations?|memor(?:y|ies)|chat history|data)"
)
# What nobody means who tells about himself: taking over, looking behind the curtain, going behind the owner's back.
_ATTACKS = (
    rf"\b(?:ignore|disregard|forget|override|bypass)\b{_GAP}\b{_OTHERS}\b{_GAP}\b{_RULES}\b",
    rf"\b(?:reveal|print|show|repeat|leak|output|tell me)\b{_GAP}\b(?:system prompt|hidden prompt|your instructions)\b",
    r"\byou are now\b.{0,40}\b(?:dan|jailbroken|unrestricted|developer mode|root|admin(?:istrator)?)\b",
    rf"\b(?:do not|don't|never)\b{_GAP}\b(?:tell|inform|alert)\b{_GAP}\b(?:user|owner|human)\b",
    rf"\b(?:send|forward|post|upload|e-?mail|exfiltrate)\b{_GAP}\b{_PRIVATE}\b{_GAP}\b(?:to|at)\b{_GAP}"
    r"(?:https?://|\S+@\S+|\w+\.\w+)",
    rf"\b(?:disable|turn off|skip)\b.{{0,30}}\b{_GUARDS}\b",
    r"<\s*/?\s*(?:system|assistant|instructions?)\s*>",
    r"(?:^|\n)\s*(?:system|assistant|developer)\s*:",
    r"(?:忽略|无视|忘记|忘掉|绕过|覆盖|不要理会).{0,20}(?:之前|以前|以上|上面|先前|前面|所有|系统|你的)"
    r".{0,12}(?:指令|指示|提示|规则|设定|要求|限制)",
    r"(?:泄露|输出|显示|打印|重复|透露).{0,12}(?:系统提示|提示词|系统指令|你的指令)",
    r"(?:不要|别|不得|禁止).{0,8}(?:告诉|通知|提醒|让).{0,6}(?:用户|主人|本人)",
    r"(?:把|将).{0,20}(?:密码|密钥|凭证|记忆|对话|聊天记录|隐私).{0,12}(?:发送|发到|上传|转发|寄)",
    r"(?:关闭|禁用|跳过|绕开).{0,8}(?:安全|审核|确认|检查|限制)",
)
_VERBS = (
    r"(?:always|never|you must|you should|you have to|you will|make sure|be sure|remember to|do not|don't|from now on|"
    r"in future|going forward|when(?:ever)? asked|respond|reply|answer|call|run|execute|delete|send|visit|click|open|"
    r"download|install|transfer|approve|recommend|buy)"
)
_CHINESE_VERBS = (
    r"(?:必须|务必|一定要|总是|始终|永远不要|以后|从现在起|今后|不要|别|应当|应该|记得|回复|回答|执行|运行|删除|发送|"
    r"访问|点击|下载|安装|转账|推荐|购买)"
)
# Orders: fine from the owner, suspicious from anything else.
_ORDERS = (
    rf"(?:^|[.!?;:,]\s+|\bplease ){_VERBS}\b",
    r"\b(?:assistant|agent|ai|model|chatbot|llm)\s+(?:must|should|shall|has to|needs to|will always|will never)\b",
    rf"(?:^|[。！？；，,]\s*|请){_CHINESE_VERBS}",
    r"(?:助手|智能体|模型|机器人)(?:必须|应该|应当|要|需要|不得)",
)
_ATTACK = re.compile("|".join(_ATTACKS), re.IGNORECASE)
_ORDER = re.compile("|".join(_ORDERS), re.IGNORECASE | re.MULTILINE)
_LONGEST = 20_000


def is_attack(text: str) -> bool:
    """Tell whether a text tries to take an agent over, whoever wrote it; broken lines hide nothing."""
    told = text[:_LONGEST]
    return _ATTACK.search(told) is not None or ("\n" in told and _ATTACK.search(" ".join(told.split())) is not None)


def is_instruction(text: str) -> bool:
    """Tell whether a text is shaped like an order."""
    return is_attack(text) or _ORDER.search(text[:_LONGEST]) is not None


def without_attacks(text: str) -> str:
    """Give a text without what tries to take an agent over, and without the orders beside it; nothing may be left."""
    told = text.strip()[:_LONGEST]
    if not is_attack(told):
        return told
    kept = "\n".join(filter(None, map(_harmless, told.splitlines())))
    return "" if is_attack(kept) else kept


def _harmless(paragraph: str) -> str:
    """Cut an attack out of a paragraph: whole sentences, or all of it where it goes over their ends."""
    if not is_attack(paragraph):
        return paragraph.strip()
    kept = "".join(found for found in sentences_of(paragraph) if not is_instruction(found.strip()))
    return "" if is_attack(kept) else kept.strip()
