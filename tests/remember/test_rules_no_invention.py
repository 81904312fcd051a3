"""What rules must not make up: words that look like a name, a place, an employer or a pet and are none."""

from __future__ import annotations

import pytest

from tests.remember.rules_support import ended, found, read, record

KNOWN = (
    record("The user works at Google.", "user", "employer"),
    record("The user's name is Ana.", "user", "name"),
    record("The user lives in Oslo.", "user", "city"),
)

BEING_SOMEWHERE = [
    "i'm at costco with my mom",
    "I'm at Costco with my mom.",
    "i'm at delta waiting for my flight",
    "i joined zoom but nobody's there",
    "I'm at Starbucks now",
    "i'm at ikea",
    "I joined Slack yesterday",
    "I'm at Heathrow waiting for a train",
    "we're at mcdonalds lol",
    "I'm at Whole Foods",
    "I'm at Google for an interview",
    "I'm at Grandma's now",
    "I'm at Central Park now",
    "i joined github yesterday",
]
NOT_LEAVING = [
    "i left google docs open",
    "i quit google chrome, it was slow",
    "just left google hq, be there in 5",
    "quit twitter last year",
    "i quit slack yesterday, it keeps crashing",
    "left apple in the fridge",
    "i left meta comments in the code",
    "i left square one",
    "i quit epic games",
    "I left Google Docs open",
    "I just left Google HQ",
    "I left Google open in another tab",
    "i left google, be there in 5",
    "I left Google for lunch",
    "I left Amazon a bad review",
    "I quit Instagram for good",
]
NO_NAME = [
    "so names matter a lot",
    "im max. 5 minutes away",
    "im jordan and pippen's fan",
    "my name is earl is a great show",
    "my name is mud",
    "everyone calls me stupid",
    "people call me annoying",
    "call me paranoid, but i think he lies",
    "call me biased",
    "just call me picky",
    "Call me crazy, but it works",
    "call me old-fashioned",
    "my name is on the list",
    "my name is spelled wrong",
    "im frank",
    "names jordan are common",
    "my friends call me weird",
    "call me naive but i trust him",
]
WORDS_AFTER_A_RELATION = [
    "my mom rose early",
    "my dad grace period ends friday",
    "my friend mark my words, this will fail",
    "my brother jack hammered the wall",
    "my brother chad vibes only",
    "our friend summer vacations are the best",
    "my friend jordan shoes are sick",
    "my cat max weight is 5kg",
    "my cat spot cleans herself",
    "my dog bear hugs everyone",
    "i'd name my dog rex",
    "my sister joy rides on weekends",
    "my car is named betty",
    "my son is prob autistic",
    "my project is called home",
    "my dad will grace us with his presence",
    "my mom rose and left",
    "my boss is frank",
    "my cat is ginger",
    "my cat shadow boxes",
    "my dog would be named rex",
    "my bike is called thunder",
]
NO_PLACE = [
    "i live in nice, quiet area",
    "i moved to nice weather",
    "i'm from cork board company",
    "i moved to reading on my phone",
    "i moved to plan b",
    "i'm from customer support",
    "i live in pyjamas these days",
    "i'm from the future",
    "I moved to Plan B",
    "I moved to Friday",
    "I'm from Sales",
    "i live in nice and quiet area",
    "i live in turkey sandwiches",
]
NO_RESTRICTION = [
    "i'm so allergic to meetings",
    "allergic to bs",
    "i'm allergic to mondays and small talk",
    "i can't eat another bite",
    "i can't drink another drop",
    "i have a cat on my lap but it's not mine",
    "i have a dog to walk for my neighbor",
    "i prefer to die",
    "i'm vegan for january",
    "vegan at heart but love steak",
    "i'm vegan at heart but love steak",
    "don't use tabs in this function",
    "never use global state in this file",
    "don't add comments here",
    "don't mention the price in this email",
    "i have a meeting allergy",
    "i'm allergic to my boss",
    "i can't eat this",
    "i have a dog for the weekend",
    "i prefer to not",
    "i'm basically vegan",
    "i went vegan for a week",
]
NOT_ONES_OWN = [
    "Subject: intro\nHi, I'm Laura from Siemens and I live in Munich.\n\ncan you draft a reply to this email?",
    "can you draft a reply to this email?\n\nHi, I'm Laura from Siemens. I live in Munich.\nBest, Laura",
    "Help me answer this message\nHello, my name is Tim and I work at Bosch.",
    "- I live in Berlin (fake address for testing)",
    "I live in Berlin (dummy data)",
    "Can you proofread this?\nHi, I'm Tom and I live in Graz.",
    "Dear hiring manager,\nI am a data scientist and I live in Berlin.\nHow can I make this better?",
]
ALL = {
    "being somewhere": BEING_SOMEWHERE,
    "not leaving": NOT_LEAVING,
    "no name": NO_NAME,
    "after a relation": WORDS_AFTER_A_RELATION,
    "no place": NO_PLACE,
    "no restriction": NO_RESTRICTION,
    "not one's own": NOT_ONES_OWN,
}
CASES = [pytest.param(text, id=f"{group}: {text[:40]!r}") for group, texts in ALL.items() for text in texts]


@pytest.mark.parametrize("text", CASES)
def test_nothing_is_stored(text: str) -> None:
    extraction = read(text)
    assert [fact.content for fact in extraction.facts] == []
    assert not extraction.profile_patch


@pytest.mark.parametrize("text", CASES)
def test_nothing_that_is_known_is_replaced_or_taken_back(text: str) -> None:
    extraction = read(text, known=KNOWN)
    assert [fact.content for fact in extraction.facts] == []
    assert list(extraction.retractions) == []


STILL_READ = [
    ("i'm at google now", {"user/employer"}),
    ("I'm at Siemens these days", {"user/employer"}),
    ("I'm at Stripe as a data engineer", {"user/employer", "user/occupation"}),
    ("i work at costco", {"user/employer"}),
    ("i joined siemens last month", {"user/employer"}),
    ("i'm now at google", {"user/employer"}),
    ("we're at Bosch", {"user/employer"}),
    ("i joined apple as an engineer", {"user/employer", "user/occupation"}),
    ("my name is priya nice to meet you", {"user/name"}),
    ("names olu", {"user/name"}),
    ("my cat spot", {"user/pet:spot"}),
    ("my dog bear loves snow", {"user/pet:bear", "Bear (dog)/taste:snow"}),
    ("i'm from cork, ireland", {"user/hometown"}),
    ("we have a dog at home", {"user/pet:dog"}),
    ("i went vegan this year", {"user/diet"}),
    ("don't use tabs in this repo", {"user/rule:use tabs in this repo"}),
    ("I moved to Linux", {"user/uses:linux"}),
    ("I live in Berlin.\nWhat should I do this weekend?", {"user/city"}),
    ("Remember this mail\nSubject: hi\nI live in Rome", {"user/city"}),
    ("im max, nice to meet you", {"user/name"}),
    ("my name is earl", {"user/name"}),
    ("everyone calls me vee", {"user/nickname"}),
    ("my brother mark lives in new york", {"user/brother:mark", "Mark (brother)/city"}),
    ("my sister is called joy", {"user/sister:joy"}),
    ("i live in nice, france", {"user/city"}),
    ("i moved to cork last year", {"user/city"}),
    ("I'm allergic to peanuts and cats", {"user/allergy:peanuts", "user/allergy:cats"}),
    ("i'm vegan for the animals", {"user/diet"}),
    ("I can't eat dairy", {"user/taste:dairy"}),
]


@pytest.mark.parametrize(("text", "wanted"), STILL_READ, ids=[text for text, _ in STILL_READ])
def test_what_is_said_plainly_is_still_read(text: str, wanted: set[str]) -> None:
    assert set(found(text)) == wanted


def test_moving_to_a_program_is_no_move_to_a_place() -> None:
    assert set(found("i moved to vim from emacs")) == {"user/uses:vim"}
    assert "user/city" not in found("I moved to Notion")


def test_somebody_without_a_name_is_known_to_the_next_sentence() -> None:
    assert set(found("I have a brother in Oslo. His name is Tom.")) == {"user/brother:tom"}
    assert set(found("We got a puppy. I named him Leo.")) == {"user/pet:leo"}


@pytest.mark.parametrize(
    "text",
    [
        "i left google",
        "I left Google for a startup",
        "i quit google last month",
        "I left Google to join Stripe",
        "i left google after five years",
        "I quit my job at Google",
    ],
)
def test_leaving_the_employer_that_is_known_is_still_read(text: str) -> None:
    assert "user/employer" in ended(text, known=KNOWN) or "user/employer" in found(text, known=KNOWN)
