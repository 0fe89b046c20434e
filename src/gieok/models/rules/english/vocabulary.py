"""Lists of English words that several modules read."""

from typing import Final

from gieok.text.pattern_file import PatternFile

_ANSWERS: Final = PatternFile("gieok.models.rules", "answers.toml")
_PATTERNS: Final = PatternFile("gieok.models.rules", "patterns.toml")
_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

ADJECTIVES: Final = _LISTS.get_words("predicate.adjectives")
ADVERBS: Final = _LISTS.get_words("predicate.adverbs")
ASKING: Final = _LISTS.get_words("opening.asking")
AUXILIARIES: Final = _LISTS.get_words("verb.auxiliaries")
BARE_KIN: Final = _LISTS.get_words("person.bare")
CONTRACTIONS: Final = _LISTS.get_spellings("spelling.contractions")
DAYS: Final = _LISTS.get_words("spelling.days")
DETERMINERS: Final = _LISTS.get_words("noun.determiners")
EITHER: Final = _LISTS.get_words("person.either")
FEMALE: Final = _LISTS.get_words("person.female")
FIXED_VERBS: Final = _PATTERNS.get_words("english.fixed")
HABITS: Final = _LISTS.get_words("verb.habits")
INTERJECTIONS: Final = _LISTS.get_words("opening.interjections")
LIVED: Final = _LISTS.get_words("verb.lived")
MALE: Final = _LISTS.get_words("person.male")
NOMINATIVES: Final = _LISTS.get_words("clause.nominatives")
NO_PLACE: Final = _ANSWERS.compile_list("english.no_place")
NUMBERS: Final = _LISTS.get_words("apostrophe.numbers")
OCCUPATIONS: Final = _LISTS.get_words("sound.occupations")
ORDERS: Final = _LISTS.get_words("verb.orders")
OVER: Final = _ANSWERS.compile_list("english.over")
OWNED: Final = _LISTS.get_words("noun.owned")
PASSIVE: Final = _LISTS.get_words("predicate.passive")
PAST_TIMES: Final = _LISTS.get_words("apostrophe.past")
PERFECT: Final = _LISTS.get_words("predicate.perfect")
PERSON_KINDS: Final = _LISTS.get_words("person.kinds")
PLACES: Final = _LISTS.get_words("spelling.places")
SAME_PAST: Final = _LISTS.get_words("verb.same_past")
SEVERAL_PERSONS: Final = _LISTS.get_words("person.several")
SMALL: Final = _ANSWERS.get_words("english.small")
STATES: Final = _LISTS.get_words("verb.states")
SUBORDINATORS: Final = _LISTS.get_words("opening.subordinators")
SURE_ORDERS: Final = _LISTS.get_words("verb.sure_orders")
TIMED: Final = _ANSWERS.compile_list("english.timed")
VERB_ADVERBS: Final = _PATTERNS.get_words("english.adverbs")

CAPITALISED: Final = DAYS | PLACES
PERSONS: Final = FEMALE | MALE | EITHER
