"""What people are allergic to: foods, animals, plants, medicines, materials; all else is a manner of speaking."""

from __future__ import annotations

import re

__all__ = ["is_allergen"]

_FOODS = (
    "almond apple apricot avocado banana barley bean beef beer berry bread buckwheat butter carrot casein cashew "
    "celery cheese cherry chestnut chicken chickpea chili chilli chocolate cilantro cinnamon citrus clam cocoa "
    "coconut coffee coriander corn crab crayfish cream crustacean cucumber curry dairy egg eggplant aubergine fig "
    "fish fructose fruit garlic ginger gluten grape grapefruit ham hazelnut histamine honey hops kiwi kiwifruit "
    "lactose lamb legume lemon lentil lettuce lime lobster lupin macadamia maize malt mango margarine mayo "
    "mayonnaise meat melon milk mollusc mollusk msg mushroom mussel mustard nectarine nut oat octopus onion orange "
    "oregano oyster papaya paprika parsley pea peach peanut pear pecan pepper pine pineapple pistachio plum "
    "pomegranate pork potato poultry prawn pumpkin quinoa raspberry rice rye salmon sardine scallop seafood seed "
    "sesame shellfish shrimp snail soy soya spelt spice spinach squid strawberry sugar sulfite sulphite sunflower "
    "sweetener tahini tea tofu tomato tuna turkey vanilla vinegar walnut watermelon wheat whey wine yeast yoghurt "
    "yogurt zucchini food shrimps tangerine aspartame"
)
_ANIMALS = (
    "animal ant bee bird cat cattle chinchilla cockroach cow dander dog down feather ferret flea fur gerbil goat "
    "guinea hair hamster hedgehog horse hornet insect jellyfish kitten mite mosquito mouse mice parrot pet pony "
    "puppy rabbit rat rodent sheep spider sting tick wasp"
)
_PLANTS = (
    "alder ash aster birch cedar chamomile flower grass hay hazel ivy mugwort olive oak pine plant pollen ragweed tree"
)
_MEDICINES = (
    "acetaminophen advil amoxicillin anaesthetic anaesthesia anesthesia anesthetic antibiotic antihistamine aspirin "
    "bactrim cephalosporin codeine diclofenac ibuprofen insulin iodine lidocaine medication medicine metamizole "
    "morphine naproxen novocaine nsaid opioid paracetamol penicillin quinolone sulfa sulfur tetracycline tramadol "
    "tylenol vaccine contrast"
)
_MATERIALS = (
    "acrylate acrylic adhesive bleach chlorine chromium cobalt cologne cosmetic deodorant detergent dust dye fabric "
    "formaldehyde fragrance glue gold hairspray jewelry jewellery lanolin latex leather lotion makeup metal mold mould "
    "nickel nylon paraben perfume plaster plastic polyester preservative resin rubber scent shampoo silicone silver "
    "smoke soap sun sunlight sunscreen tape wool water cold henna lavender eucalyptus"
)
_KNOWN = frozenset(" ".join((_FOODS, _ANIMALS, _PLANTS, _MEDICINES, _MATERIALS)).split())
# Told by their ends: hazelnuts, blueberries, amoxicillin, erythromycin, codfish.
_ENDS = re.compile(r".*(?:nuts?|berry|berries|fish|cillin|mycin|oxacin|pollen|worm|weed|cillins|fruits?|seeds?)$")
_NO_ENDS = frozenset(("selfish", "doughnut", "doughnuts", "tweed"))


def is_allergen(thing: str) -> bool:
    """Tell whether somebody can be allergic to a thing, by any of its words."""
    words = re.findall(r"[a-z]+", thing.lower())
    return any(form in _KNOWN for word in words for form in _forms(word)) or any(
        _ENDS.match(word) and word not in _NO_ENDS for word in words
    )


def _forms(word: str) -> tuple[str, ...]:
    """Give a word and what it may be the plural of."""
    return (word, word.removesuffix("s"), word.removesuffix("es"), re.sub(r"ies$", "y", word))
