"""Lists of Korean words that several modules read."""

from typing import Final

from gieok.models.rules.lexicon import KIN_KO
from gieok.text.pattern_file import PatternFile

_ANSWERS: Final = PatternFile("gieok.models.rules", "answers.toml")
_PATTERNS: Final = PatternFile("gieok.models.rules", "patterns.toml")
_LISTS: Final = PatternFile("gieok.models.rules.korean", "subjects.toml")

ASKING: Final = _ANSWERS.get_words("korean.asking")
HEADS: Final = _ANSWERS.get_words("korean.heads")
KIN: Final = _LISTS.get_words("kin") | KIN_KO
NAMED: Final = _ANSWERS.get_words("korean.named")
MEASURED_ATTRIBUTES: Final = _LISTS.get_words("note_measured")
NAMED_ATTRIBUTES: Final = _LISTS.get_words("note_named")
NO: Final = _ANSWERS.compile_list("korean.no")
OCCUPATIONS: Final = _PATTERNS.get_words("plain.occupations_ko")
OF_OTHERS: Final = _ANSWERS.get_words("korean.of_others")
SITES: Final = _LISTS.get_words("sites")
YES: Final = _ANSWERS.compile_list("korean.yes")
