"""English values cut out of a clause: places, names, occupations, organisations and things, or none if implausible."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = [
    "listed",
    "name_of",
    "occupation_of",
    "organisation_of",
    "place_of",
    "skills_of",
    "tastes_of",
    "thing_of",
    "things_of",
]

_TAIL = re.compile(
    r"\s*(?:[,:]\s*)?\b(?:right now|at the moment|these days|nowadays|at present|now|currently|already|actually"
    r"|though|tho|too|as well|anymore"
    r"|any more|btw|tbh|lol|lmao|omg|originally|sadly|unfortunately|luckily|thankfully|kill me|help|ngl|smh|fr"
    r"|wtf|ugh|yay|woohoo|imo|mostly|mainly|rn|atm|haha+|hehe+|xd|thanks|thank you|thx|please|pls|honestly"
    r"|really|a lot|so much"
    r"|very much|the most|most of all"
    r"|more than anything|at all|lately|overall|together|you know|for now|again|yet|also|by the way|obviously"
    r"|of course|for context|fwiw|ok|okay|yeah|right|sorry|with a passion"
    r"|to death|for real|fyi|instead|nevertheless|anyway|for what it's worth|if that helps|if it helps"
    r"|if that matters)[\s.,!~:)(]*$",
    re.IGNORECASE,
)
_EDGES = " \t.,;:!?~-\u2013\u2014\"'()[]*_"
_PLACE_END = re.compile(
    r"\s*\b(?:for (?:the|about|over|almost|nearly|a|an|\w+ years?|\w+ months?|work|now|good|my|university|uni"
    r"|college)|since|because|with|but|and"
    r"|so|where|which|who|until|till|til|on|after|before|while|if|when|as|that|this|last|next|these|from|to|by"
    r"|during|like|at the|in \d{4}"
    r"|a few|two|three|ten|\d+|every|then|than|or|is|are|was|has|i|my|it|we|just|and|works?|working|don't"
    r"|please|pls|lol|omg)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_SMALL_AFTER = re.compile(r"\s*,\s*(?=[a-z]).*$", re.DOTALL)
_NO_PLACE = re.compile(
    r"^(?:you|me|us|a|an|the|my|our|this|that|these|those|his|her|their|your|constant|total|it|here|there|fear"
    r"|hope|peace"
    r"|denial|sin|luxury|poverty|harmony|pain"
    r"|chaos|silence|shame|style|love|trouble|charge|need|general|bed|person|case|fact|theory|time|town|school"
    r"|college|university|meetings?|class"
    r"|another|different|favou?r|line|touch|shock|tears|awe|doubt|debt|dorms?|hell|heaven|paradise|one|two|some"
    r"|any|work|it|what|tech|finance"
    r"|marketing|sales|healthcare|education|retail|it|hr|software|engineering|consulting|research|house|flat"
    r"|apartment|isolation|sync|pieces"
    r"|agreement|control|a\s|awe|reality|pajamas|pyjamas|sweats|sweatpants|jeans|hoodies?|limbo|terror|bliss"
    r"|exile|\d+.*)\b",
    re.IGNORECASE,
)
_VILLAGE = re.compile(
    r"^(?:an?|the)\s+(?:\w+\s+){0,2}(?:village|town|suburb|city|island|farm)\s+(?:near|outside|called|close to"
    r"|north|south|east|west)\b.*[A-Z]"
    r"|^the\s+(?:[A-Z]|uk|us|usa|netherlands|bay|philippines|bronx|hague|midlands|countryside|suburbs)\b"
)
_NAME = re.compile(
    r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\b\.?\s+)?[^\W\d_][\w'.-]*(?:\s+(?:(?:de|da|di|van|von|der|den|del|la|le|bin"
    r"|al)\s+){0,7}[^\W\d_a-z][\w'.-]*){0,3}"
)
_NO_NAME = re.compile(
    r"^(?:a|an|the|not|no|so|just|very|really|sure|sorry|fine|good|ok|okay|happy|sad|tired|busy|here|there|from|in"
    r"|on|at|to|going|trying|looking|using"
    r"|getting|having|working|living|also|still|new|old|now|back|ready|done|afraid|interested|wondering|curious"
    r"|glad|free|sick|ill|hungry|bored|late"
    r"|single|married|divorced|vegan|vegetarian|allergic|fluent|feeling|thinking|planning|doing|being|always|never"
    r"|currently|based|born|it|this|that"
    r"|what|who|which|my|your|his|her|their|our|an?|and|but|or|if|because|pretty|quite|almost|only|about|like"
    r"|kinda|stuck|lost|confused|learning"
    r"|called|named|is|are|was|spelled|too|well|hard|easy|common|unique|weird|important|all|one|some|me|you|him"
    r"|them|us|myself|he|she|they|we|i)\b",
    re.IGNORECASE,
)
_JOB_END = re.compile(
    r"\s*(?:[,:;(]|\b(?:and|but|so|because|who|which|that|since|last|next|this|recently|today|yesterday|for|from"
    r"|at|with|by|in|living|working|based"
    r"|until|where|when|while|now|these|on|to|if|if|as|too|here|there|myself|btw)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_JOB_WORD = re.compile(
    r"(?:[a-z]{2,}(?:er|or|ist|ian|ant|ent|man|woman|yst|ess|eur|ive|naut|smith)s?|dev|nurse|chef|physio|doc|pm"
    r"|sre|ceo|cto"
    r"|cfo|coo|vp|qa|swe|ux|ui|gp|mechanic"
    r"|cook|pilot|clerk|judge|coach|intern|freelance|retiree|attorney|postdoc|phd|scientist|architect|diplomat"
    r"|athlete|barista|paramedic"
    r"|journalist|comedian|monk|priest|rabbi|imam|soldier|guard|janitor|midwife|surveyor|au pair|nanny|lead|head"
    r"|founder|tech|recruiter|vet|model"
    r"|analyst|specialist|associate|executive|representative|rep|admin|sysadmin|devops|temp|trainee|apprentice"
    r"|paralegal|ops|hr|dj|mc|copywriter"
    r"|housewife|househusband|stay|sommelier|florist|potter|critic|cartographer|undergrad|postgrad|data"
    r"|professional|consultant)$",
    re.IGNORECASE,
)
# What says nothing without its example: ``bands like Radiohead``.
_KINDS = r"(?:bands?|movies|films|music|food|stuff|things|games|books|shows|artists|people|places|songs)\s+like\b"
_AT_HOME = re.compile(r"stay[- ]at[- ]home[- ](?:mom|mum|dad|parent|father|mother|wife|husband)\b", re.IGNORECASE)
_NO_JOB = re.compile(
    r"\b(?:person|people|man|woman|guy|girl|boy|fan|lover|lot|bit|mess|wreck|member|user|customer|owner|beginner"
    r"|newbie|noob|human|adult|kid|child|speaker"
    r"|believer|idiot|loser|winner|stranger|foreigner|night owl|morning|big|huge|terrible|bad|good|great|reader"
    r"|drinker|eater|sleeper|listener|learner"
    r"|hater|mother|father|brother|sister|parent|friend|member|vegetarian|prisoner|monster|genius|expert|follower"
    r"|supporter|perfectionist|introvert"
    r"|extrovert|feminist|christian|muslim|buddhist|catholic|atheist|virgin|gemini|capricorn|libra|aquarius|taurus"
    r"|scorpio|aries|leo|cancer|pisces|sagittarius"
    r"|smoker|gamer|nerd|geek|runner|thinker|talker|quick|slow|fast|subscriber|visitor|number|minute|second|hour"
    r"|moment|year|day|week|month|patient|descendant"
    r"|different|failure|burden|disaster|player|worrier|dreamer|optimist|pessimist|realist|cleaner one"
    r"|different one|native|citizen|resident)\b"
    r"|^(?:er|or|ent|ant|never|ever|whatever|however|moment|better|longer|sober|bitter|clever|eager|proper|super"
    r"|present|silent|patient|different|recent"
    r"|independent|important|pregnant|reluctant|hesitant|distant|over|under|after|minor|major|poor|for|together"
    r"|rather|later)$",
    re.IGNORECASE,
)
_NO_JOB_WORD = re.compile(
    r"(?:german|longer|better|older|younger|bigger|larger|smaller|higher|lower|faster|slower|harder|easier"
    r"|earlier|later|over"
    r"|under|after|never|ever|number|matter|water|weather|summer|winter|paper|computer|dinner|order|letter|corner"
    r"|center"
    r"|power|former|other|another|together|rather|either|whether|major|minor|floor|door|colou?r|error|mirror|favou?r"
    r"|moment|different|recent|current|important|present|less|more|happier|student loan|house|mess)s?$",
    re.IGNORECASE,
)
_THING_END = re.compile(
    r"\s*(?:[:;(]|\s-\s|\b(?:because|cause|cuz|coz|but|so that|so|since|which|who|when|whenever|while|if|although"
    r"|though|unless|until|as it|as they|than"
    r"|after|before|during|every|for (?:years|ages|\w+ years)|but|where|except|especially|esp|particularly"
    r"|not(?=\s+(?!only))|i|my|we"
    r"|to be (?:honest|fair)|too|lol|lmao|haha|omg|tbh|ngl|please|pls|don't|he|she|they|it|is|are|was|were"
    r"|that's|it's|right)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_THING_START = re.compile(
    r"^(?:it|this|that|them|him|her|you|your|yours|his|their|how|what|when|where|why|who|to|being|having to"
    r"|getting|knowing|my (?:life|job|boss)|the (?:way|idea|fact|sound|look|one|ones)"
    r"|everything|nothing|anything|something|someone|everyone|everybody|not|very|more|in|on|of|for|at|if|is|was|so)\b",
    re.IGNORECASE,
)
_DOING = re.compile(r"(?:\w+ly\s+)?\w{3,}ing\b", re.IGNORECASE)
_DANGLING = re.compile(
    r"\s(?:on|to|of|for|in|at|about|by|into|a|an|the|new|more|very|and|as|from|than|like|up|sure\b.*)$", re.IGNORECASE
)
_POINTING = re.compile(r"\s(?:them|him|it|you|us|this|those|these)$", re.IGNORECASE)
_LIGHT = re.compile(
    r"(?:making|taking|getting|doing|having|being|seeing|giving|putting|using|letting|keeping|finding"
    r"|making sure\b.*)$",
    re.IGNORECASE,
)
_OF_THE_MOMENT = re.compile(
    r"(?:the\s+(?!(?-i:[A-Z])|sea\b|ocean\b|mountains?\b|outdoors\b|cold\b|beach\b|countryside\b|rain\b|snow\b"
    r"|heat\b|sun\b|gym\b|theat|opera\b|desert\b|color\b|colour\b|summer|winter|spring|autumn|news\b|night)"
    r"|(?:an?|another|one)\s+(?!(?:good|nice)\b(?!\s+(?:glass|cup|one|day|time|chat))|cold\b|strong\b"
    r"|challenge\b)|my\s|our\s|each\s|every\w*\b|her\s"
    r"|his\s|here|there|beyond\b|its\s|dave|such\b|all the\b|when\b|seeing you|talking to you|working with you)",
    re.IGNORECASE,
)
# What follows tells which are meant: ``the friends I have``.
_CUT_OFF = re.compile(r"\b(?:the|those|these|all)\s+[\w-]+\s+(?:i|you|we|they)\s", re.IGNORECASE)
_NO_TASTE = re.compile(
    r"^\d|^the\s.*\b(?:vibes?|views?|looks?|sounds?|design|photos?|pics?|pictures?|idea|energy|colou?rs|atmosphere)$",
    re.IGNORECASE,
)
_STOP_ALONE = re.compile(
    r"^(?:all|both|one|some|most|more|stuff|things|people|everything|nothing|anything|something|someone|everyone"
    r"|anyone|nobody|none|either|a lot|here|there|myself|better"
    r"|the|a|an|of|in|on|and|so|very|is|was|be|not|if|them|these|those|him|her|me|us|doing|going|having)$",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,\s*(?:and|or|&|as well as|plus)?\s+|\s+(?:and|or|&|\+|as well as|plus)\s+|\s*[/&]\s*(?=\S)"
    r"|(?<=\w)\+(?=\w))\s*",
    re.IGNORECASE,
)
# The comma after it stands between two adjectives: ``creating a safe, inviting place``.
_ADJECTIVE = re.compile(r"\w\s+(?:an?|my|our|such)\s+[a-z]+$")
_DETERMINER = re.compile(
    r"^(?:some|any|all|lots of|a lot of|really|both|mostly|mainly|a bit of|bit of|a little|just|also|basically)\s+",
    re.IGNORECASE,
)


def _trim(text: str) -> str:
    """Take off what says nothing at the end of a value."""
    text = text.strip(_EDGES)
    for _ in range(3):
        shorter = _TAIL.sub("", text).strip(_EDGES)
        if shorter == text:
            break
        text = shorter
    return text


def _sound(text: str, words: int = 6) -> bool:
    return bool(text) and MASK not in text and len(text) <= 60 and len(text.split()) <= words


def place_of(text: str) -> str | None:
    """Give the place that a text begins with."""
    place = _trim(_PLACE_END.sub("", _trim(_SMALL_AFTER.sub("", text))))
    place = re.sub(r"^an?\s+(?:[\w-]+\s+){0,3}(?:village|town|city|suburb)\s+in\s+", "", place, flags=re.IGNORECASE)
    place = re.sub(r"^(?:downtown|central|lovely|sunny|rainy|beautiful|good old)\s+", "", place, flags=re.IGNORECASE)
    if not _sound(place, 8) or not place[0].isalpha() or re.match(r"(?-i:[a-z])\w*ing\b", place):
        return None
    if _NO_PLACE.match(place) and not _VILLAGE.match(place):
        return None
    return place if len(place.split()) <= (8 if _VILLAGE.match(place) else 4) else None


def name_of(text: str, *, cased: bool = True) -> str | None:
    """Give the name that a text begins with; ``cased`` asks for a capital letter."""
    text = text.strip(_EDGES)
    found = _NAME.match(text)
    if not found or _NO_NAME.match(text) or MASK in found[0]:
        return None
    name = found[0].rstrip(".'-")
    if name.endswith("'s"):
        name = name[:-2]
    if len(name) > 40 or len(name) < 2:
        return None
    return name if not cased or not name[0].islower() else None


def occupation_of(text: str) -> str | None:
    """Give the occupation that a text begins with, without its article."""
    if at_home := _AT_HOME.match(text):
        return at_home[0]
    job = _trim(_JOB_END.sub("", text))
    if job.lower().startswith(
        ("head of", "vp of", "director of", "lead of", "professor of", "teacher of", "student of")
    ):
        job = _trim(re.split(r"[,;]|\b(?:and|but|at|from|with)\b", text)[0])
    if not _sound(job, 5) or _NO_JOB.search(job) or not job[0].isalpha():
        return None
    words = re.split(r"[\s-]+", job)
    return job if any(_JOB_WORD.match(word) and not _NO_JOB_WORD.match(word) for word in words) else None


def organisation_of(text: str) -> str | None:
    """Give the organisation that a text begins with."""
    place = re.sub(
        r"\s*\b(?:as|(?:full|part)[- ]time|since|for (?:the|about|\w+ years?|\w+ months?|now)|and|but|so"
        r"|because|where|which|in|on|until"
        r"|till|with|who|doing|now|by|when|while|these|from|i|my|that|to|yesterday|today"
        r"|(?:last|next|this)\s+(?:week|month|year|spring|summer|autumn|fall|winter|\w+day))\b.*$",
        "",
        _trim(text),
        flags=re.IGNORECASE | re.DOTALL,
    )
    place = _trim(re.split(r"[,;:(]", place)[0])
    if not _sound(place, 6) or re.match(
        r"^(?:home|night|nights|work|it|that|this|myself|them|him|her|me|us|the (?:office|moment|weekend|same|best"
        r"|whole)|all|least|first|last|once|a living|free|days|weekends"
        r"|my own|peace|what|school|day|hours?|least|\d.*)\b(?!\s+[A-Z])",
        place,
        re.IGNORECASE,
    ):
        return None
    return re.sub(r"^an?\s+(?:[\w-]+\s+){0,4}(?:called|named)\s+", "", place)


def thing_of(text: str) -> str | None:
    """Give one thing that somebody likes, uses or knows."""
    thing = _DETERMINER.sub("", _trim(_THING_END.sub("", _trim(text))))
    thing = re.sub(r"\s+with$|(?<!\w)\b(?!" + _KINDS + r")(\w+)\s+(?:like|such as)\s+.*$", r"\1", _trim(thing))
    if _DANGLING.search(thing) or _LIGHT.match(thing) or _POINTING.search(thing):
        return None
    if not _sound(thing, 6) or _NO_THING_START.match(thing) or _STOP_ALONE.match(thing):
        return None
    return thing if re.search(r"\w", thing) else None


def listed(text: str) -> list[str]:
    """Cut an enumeration into its parts."""
    return [part for part in _AND.split(text) if part.strip()]


def things_of(text: str) -> list[str]:
    """Give the things that a text lists; none of them if the first is not plausible."""
    whole = _trim(_THING_END.sub("", _trim(text)))
    parts = listed(whole)[:8]
    if len(parts) > 1 and _ADJECTIVE.search(parts[0]) and "," in whole:
        return []
    if len(parts) > 1 and " " in parts[0].strip() and _DOING.match(parts[0]) and not _DOING.match(parts[1]):
        parts = [whole] if "," not in whole else []
    found = [thing_of(part) for part in parts]
    return [thing for thing in found if thing] if found and found[0] else []


def tastes_of(text: str) -> list[str]:
    """Give the things that somebody can like at any time, not those of the moment such as ``the view``."""
    if _OF_THE_MOMENT.match(text) or _CUT_OFF.search(text):
        return []
    return [thing for thing in things_of(text) if not (_OF_THE_MOMENT.match(thing) or _NO_TASTE.search(thing))]


def skills_of(text: str) -> list[str]:
    """Give the tools or skills that a text lists, each of at most four words."""
    cut = re.sub(
        r"\s*\b(?:for|to|at|in|on|with|every|since|because|but|when|as|instead|rather|over|daily|all day|most"
        r"|a lot|these|from|via|by|while|so|which|where|extensively|heavily|regularly|today|yesterday|tonight"
        r"|ages ago|not"
        r"|a (?:while|few|couple|long time|year|month|week)"
        r"|(?:this|last|next)\s+(?:week|month|year|quarter|spring|summer|autumn|fall|winter|sprint|\w+day))\b.*$",
        "",
        _trim(text),
        flags=re.IGNORECASE | re.DOTALL,
    )
    return [thing for part in listed(cut)[:8] if (thing := thing_of(part)) and len(thing.split()) <= 4]
