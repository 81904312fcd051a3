"""Words that rules know by heart: languages, nationalities, time zones, tools, diets."""

from __future__ import annotations

import re

from pydantic import TypeAdapter, ValidationError

from memory_middleware.schemas.profile_parts import TimeZone

__all__ = [
    "DIETS_EN",
    "JOB_HEADS",
    "LANGUAGES",
    "LANGUAGE_EN",
    "LANGUAGE_ZH",
    "NATIONALITY_EN",
    "is_known_tool",
    "looks_like_tool",
    "zone_named",
]

_LANGUAGES = {
    "english": "英语 英文",
    "chinese": "中文 汉语 华语 国语",
    "mandarin": "普通话",
    "cantonese": "粤语 广东话",
    "japanese": "日语 日文",
    "korean": "韩语 韩文 朝鲜语",
    "french": "法语 法文",
    "german": "德语 德文",
    "spanish": "西班牙语 西语",
    "portuguese": "葡萄牙语 葡语",
    "italian": "意大利语 意语",
    "russian": "俄语 俄文",
    "arabic": "阿拉伯语",
    "hindi": "印地语",
    "thai": "泰语",
    "vietnamese": "越南语",
    "dutch": "荷兰语",
    "polish": "波兰语",
    "turkish": "土耳其语",
    "swedish": "瑞典语",
    "norwegian": "挪威语",
    "danish": "丹麦语",
    "finnish": "芬兰语",
    "greek": "希腊语",
    "hebrew": "希伯来语",
    "indonesian": "印尼语",
    "ukrainian": "乌克兰语",
    "czech": "捷克语",
    "hungarian": "匈牙利语",
    "romanian": "罗马尼亚语",
    "catalan": "加泰罗尼亚语",
    "swahili": "斯瓦希里语",
    "latin": "拉丁语",
    "malay": "马来语",
    "persian": "波斯语",
    "bengali": "孟加拉语",
    "tamil": "泰米尔语",
    "urdu": "乌尔都语",
    "tagalog": "他加禄语",
    "farsi": "法尔西语",
    "irish": "爱尔兰语",
    "welsh": "威尔士语",
    "croatian": "克罗地亚语",
    "serbian": "塞尔维亚语",
    "bulgarian": "保加利亚语",
    "slovak": "斯洛伐克语",
    "esperanto": "世界语",
    "shanghainese": "上海话",
    "hokkien": "闽南语 闽南话",
    "sichuanese": "四川话",
}
LANGUAGES: dict[str, str] = {name: name for name in _LANGUAGES} | {
    word: name for name, line in _LANGUAGES.items() for word in line.split()
}
LANGUAGE_EN = rf"(?:(?:brazilian|mexican|swiss|american|british|simplified|traditional)\s+)?(?:{'|'.join(_LANGUAGES)})"
LANGUAGE_ZH = (
    "(?:简体|繁体)?(?:" + "|".join(sorted((w for w in LANGUAGES if not w.isascii()), key=len, reverse=True)) + ")"
)

NATIONALITY_EN = (
    r"(?:american|british|english|scottish|irish|welsh|canadian|australian|french|german|spanish|portuguese"
    r"|italian|dutch|belgian|swiss|austrian|polish"
    r"|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|swedish|norwegian|danish|finnish"
    r"|icelandic|estonian|latvian|lithuanian"
    r"|croatian|serbian|slovenian|bosnian|albanian|chinese|japanese|korean|taiwanese|vietnamese|thai|indonesian"
    r"|malaysian|singaporean|filipino|filipina"
    r"|indian|pakistani|bangladeshi|nepali|sri lankan|iranian|iraqi|israeli|lebanese|syrian|egyptian|moroccan"
    r"|algerian|tunisian|nigerian|ghanaian|kenyan"
    r"|ethiopian|south african|brazilian|argentinian|argentine|chilean|colombian|peruvian|venezuelan|mexican|cuban"
    r"|ecuadorian|bolivian|uruguayan|georgian"
    r"|armenian|kazakh|mongolian|maltese|jamaican|new zealander|kiwi)"
)
DIETS_EN = (
    r"(?:vegetarian|veggie|vegan|pescatarian|pescetarian|flexitarian|lactose[- ]intolerant|gluten[- ]free"
    r"|gluten[- ]intolerant|coeliac|celiac|keto|paleo|halal|kosher"
    r"|plant[- ]based|teetotal|teetotaler)"
)

# What a job without an article ends with: ``product manager at X``.
JOB_HEADS = (
    r"(?:manager|engineer|designer|developer|dev|analyst|architect|teacher|nurse|doctor|lawyer|accountant|consultant"
    r"|director|founder|cofounder|co-founder|ceo|cto|cfo|coo|scientist|researcher|writer|editor|producer|recruiter"
    r"|electrician|plumber|mechanic|chef|baker|barista|pharmacist|dentist|therapist|librarian|translator|photographer"
    r"|illustrator|technician|programmer|administrator|coordinator|supervisor|specialist|strategist|marketer"
    r"|paramedic|pilot|professor|lecturer|tutor|surgeon|vet|journalist|realtor|salesperson|cashier|student)"
)

_ZONES = {
    "cet": "Europe/Berlin",
    "cest": "Europe/Berlin",
    "central european time": "Europe/Berlin",
    "eet": "Europe/Helsinki",
    "wet": "Europe/Lisbon",
    "bst": "Europe/London",
    "uk time": "Europe/London",
    "gmt": "Etc/GMT",
    "utc": "Etc/UTC",
    "est": "America/New_York",
    "edt": "America/New_York",
    "eastern time": "America/New_York",
    "eastern": "America/New_York",
    "et": "America/New_York",
    "cst": "America/Chicago",
    "cdt": "America/Chicago",
    "central time": "America/Chicago",
    "mst": "America/Denver",
    "mountain time": "America/Denver",
    "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles",
    "pacific time": "America/Los_Angeles",
    "pacific": "America/Los_Angeles",
    "pt": "America/Los_Angeles",
    "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul",
    "ist": "Asia/Kolkata",
    "sgt": "Asia/Singapore",
    "hkt": "Asia/Hong_Kong",
    "aest": "Australia/Sydney",
    "msk": "Europe/Moscow",
    "beijing time": "Asia/Shanghai",
    "china time": "Asia/Shanghai",
    "tokyo time": "Asia/Tokyo",
    "北京时间": "Asia/Shanghai",
    "中国时间": "Asia/Shanghai",
    "东京时间": "Asia/Tokyo",
    "伦敦时间": "Europe/London",
    "纽约时间": "America/New_York",
    "美东时间": "America/New_York",
    "美东": "America/New_York",
    "美西时间": "America/Los_Angeles",
    "美西": "America/Los_Angeles",
    "太平洋时间": "America/Los_Angeles",
    "柏林时间": "Europe/Berlin",
    "中欧时间": "Europe/Berlin",
    "新加坡时间": "Asia/Singapore",
}
_ZONE: TypeAdapter[str] = TypeAdapter(TimeZone)
_OFFSET = re.compile(r"(?:utc|gmt)\s*([+-])\s*(\d{1,2})(?::?00)?")
_HAN_ZONE = re.compile(r"([东西])([一二三四五六七八九十]{1,2})区")
_IANA = re.compile(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?")
_HAN_DIGITS = {"十": 10, "十一": 11, "十二": 12} | {sign: at for at, sign in enumerate("一二三四五六七八九", 1)}


def zone_named(text: str) -> str | None:
    """Give the IANA name of a time zone that somebody named; none if it is none.

    East eight is ``Asia/Shanghai``, where most who say so live; other offsets are zones without summer time.
    """
    text = text.strip(" .,!?\"'")
    if _IANA.fullmatch(text):
        return text if _is_zone(text) else None
    folded = " ".join(text.casefold().replace("timezone", "").replace("time zone", "").replace("时区", "").split())
    if found := _OFFSET.fullmatch(folded):
        return _offset_zone(found[1], int(found[2]))
    if found := _HAN_ZONE.fullmatch(text.replace("时区", "区")):
        return _offset_zone("+" if found[1] == "东" else "-", _HAN_DIGITS.get(found[2], 99))
    return _ZONES.get(folded)


def _is_zone(name: str) -> bool:
    try:
        _ZONE.validate_python(name)
    except ValidationError:
        return False
    return True


def _offset_zone(sign: str, hours: int) -> str | None:
    if sign == "+" and hours == 8:
        return "Asia/Shanghai"
    if hours > 12:
        return None
    # The names of these zones count the other way round.
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "Etc/UTC"


_TOOLS = (
    "vim neovim nvim emacs vscode vs-code intellij pycharm webstorm xcode eclipse sublime jetbrains cursor copilot "
    "git github gitlab bitbucket docker aws gcp azure heroku vercel netlify supabase firebase mac macbook ipad "
    "kubernetes k8s terraform ansible jenkins python java javascript typescript rust go golang ruby php perl scala "
    "kotlin swift c c++ c# r julia matlab "
    "haskell elixir erlang clojure lua bash zsh fish powershell sql postgres postgresql mysql sqlite mongodb redis "
    "kafka spark hadoop airflow dbt "
    "snowflake bigquery react vue angular svelte nextjs django flask fastapi rails spring nodejs node deno bun exce"
    "l word powerpoint outlook gmail "
    "slack teams zoom notion obsidian evernote trello asana jira confluence linear figma sketch photoshop illustrat"
    "or lightroom blender autocad "
    "solidworks unity unreal tableau looker powerbi pandas numpy pytorch tensorflow keras jupyter latex overleaf ma"
    "rkdown linux ubuntu debian fedora "
    "arch macos windows android ios iphone chrome firefox safari brave arc whatsapp telegram signal wechat discord "
    "todoist things anki chatgpt claude "
    "gemini langchain langgraph pytest make cmake gradle maven npm pnpm yarn webpack vite tailwind bootstrap wordpr"
    "ess shopify salesforce hubspot "
    "quickbooks sap oracle premiere davinci ableton logic audacity obs tmux vs duolingo spotify youtube "
    "facebook instagram tiktok twitter reddit netflix "
    "thinkpad pixel kindle alexa siri dropbox onedrive canva grammarly stripe paypal venmo airtable clickup miro loom "
    "zapier n8n prisma express nestjs laravel symfony nginx graphql grafana prometheus elasticsearch rabbitmq apple "
    "icloud nextcloud wordpress zed helix bitwarden 1password"
)
_TOOL_WORDS = frozenset(_TOOLS.split())


# Names that are everyday words too: among others they say nothing.
_ALSO_WORDS = frozenset(
    ["things", "word", "teams", "go", "make", "node", "signal", "logic", "linear", "sketch", "excel", "spring"]
    + ["express", "brave", "arc", "fish", "apple", "r", "c", "things", "unity", "anki", "pixel", "loom"]
)


def is_known_tool(text: str) -> bool:
    """Tell whether a word is the name of software that rules know."""
    return text.casefold() in _TOOL_WORDS


def looks_like_tool(text: str) -> bool:
    """Tell whether a thing looks like software or a device: a known name, or one with a capital, a digit or a dot."""
    words = text.split()
    if not words or len(words) > 4:
        return False
    if any(word.casefold().strip(".,") in _TOOL_WORDS for word in words):
        return len(words) <= 2 or not all(word in _ALSO_WORDS or word not in _TOOL_WORDS for word in words)
    return any(word[0].isupper() or any(sign.isdigit() or sign in ".+#" for sign in word) for word in words if word)
