"""Words that the rules look for: closed classes, standard vocabulary, set phrases.

English entries are lower-case words, matched as whole words. Korean entries are
Kiwi forms (predicates as stems), matched against morphemes; the few Korean regular
expressions match the written text, because their form is what carries the meaning.
"""

import re
from typing import Final

from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "lexicon.toml")

# --- who is spoken about -----------------------------------------------------------
ME_KO: Final = _LISTS.get_words("lexicon.me_ko")
ME_EN: Final = _LISTS.get_words("lexicon.me_en")
OTHERS_KO: Final = _LISTS.get_words("lexicon.others_ko")
OTHERS_EN: Final = _LISTS.get_words("lexicon.others_en")
PETS: Final = _LISTS.get_words("lexicon.pets")
KIN_KO: Final = _LISTS.get_words("lexicon.kin_ko")
KIN_EN: Final = _LISTS.get_words("lexicon.kin_en")
ACQUAINTANCES_KO: Final = _LISTS.get_words("lexicon.acquaintances_ko")
ACQUAINTANCES_EN: Final = _LISTS.get_words("lexicon.acquaintances_en")

# --- how it is said -----------------------------------------------------------------
WH_KO: Final = _LISTS.get_words("lexicon.wh_ko")
WH_EN: Final = _LISTS.get_words("lexicon.wh_en")
AUXILIARY_EN: Final = _LISTS.get_words("lexicon.auxiliary_en")
IMPERATIVE_EN: Final = _LISTS.get_words("lexicon.imperative_en")
CONDITION_EN: Final = _LISTS.get_words("lexicon.condition_en")
CONDITION_KO: Final = _LISTS.get_words("lexicon.condition_ko")
CONDITIONAL_ENDINGS: Final = _LISTS.get_words("lexicon.conditional_endings")
HEARSAY_ENDINGS: Final = _LISTS.get_words("lexicon.hearsay_endings")
HEARSAY_EN: Final = _LISTS.get_words("lexicon.hearsay_en")
NEGATION_KO: Final = _LISTS.get_words("lexicon.negation_ko")
NEGATION_EN: Final = _LISTS.get_words("lexicon.negation_en")
HABIT_KO: Final = _LISTS.get_words("lexicon.habit_ko")
HABIT_EN: Final = _LISTS.get_words("lexicon.habit_en")
STANDING_KO: Final = _LISTS.compile_list("lexicon.standing_ko")
STANDING_EN: Final = _LISTS.compile_list("lexicon.standing_en")
PASSING_KO: Final = _LISTS.get_words("lexicon.passing_ko")
PASSING_EN: Final = _LISTS.get_words("lexicon.passing_en")
TASTE_KO: Final = _LISTS.get_words("lexicon.taste_ko")
TASTE_EN: Final = _LISTS.get_words("lexicon.taste_en")
PAST_EN: Final = _LISTS.get_words("lexicon.past_en")
FUTURE_EN: Final = _LISTS.get_words("lexicon.future_en")
CHANGE_KO: Final = _LISTS.get_words("lexicon.change_ko")
CHANGE_EN: Final = _LISTS.get_words("lexicon.change_en")
SAME_KO: Final = _LISTS.get_words("lexicon.same_ko")
SAME_EN: Final = _LISTS.get_words("lexicon.same_en")

# --- scopes ---------------------------------------------------------------------------
ROLEPLAY_START: Final = _LISTS.compile_list("lexicon.roleplay_start")
ADDED: Final = _LISTS.compile_list("lexicon.added")
CHANGED_TO: Final = _LISTS.compile_list("lexicon.changed_to")
RESUMED: Final = _LISTS.compile_list("lexicon.resumed")
ROLEPLAY_BEGUN: Final = _LISTS.compile_list("lexicon.roleplay_begun")
ROLEPLAY_END: Final = _LISTS.compile_list("lexicon.roleplay_end")
FICTION: Final = _LISTS.compile_list("lexicon.fiction")
SUPPOSED: Final = _LISTS.compile_list("lexicon.supposed")
DRILL: Final = _LISTS.compile_list("lexicon.drill")
PASTED: Final = _LISTS.compile_list("lexicon.pasted")
COPIED: Final = _LISTS.compile_list("lexicon.copied")
JOKE_TAKEN_BACK: Final = _LISTS.compile_list("lexicon.joke_taken_back")
LAUGH: Final = _LISTS.compile_list("lexicon.laugh")
INSTRUCTION_TO_MACHINE: Final = _LISTS.compile_list("lexicon.instruction_to_machine")

# --- commands to the memory ---------------------------------------------------------
REMEMBER: Final = _LISTS.compile_list("lexicon.remember")
FORGET: Final = _LISTS.compile_list("lexicon.forget")
FORGET_PLAINLY: Final = _LISTS.compile_list("lexicon.forget_plainly")
"""What nobody says who does not want something forgotten."""
_FORGET_NOT: Final = _LISTS.compile_list("lexicon.forget_not")
_NEWS_OPENED: Final = _LISTS.compile_list("lexicon.news_opened")
_CORRECTED: Final = _LISTS.compile_list("lexicon.corrected")
DENIAL: Final = _LISTS.compile_list("lexicon.denial")
ASSISTANT_FORGETS: Final = _LISTS.compile_list("lexicon.assistant_forgets")


def find_wish(text: str) -> re.Match[str] | None:
    """Return where a text speaks of forgetting something, if it does.

    Not where it warns against that ("don't forget my allergy") or the user does it.
    """
    asked = _remove_warnings(text)
    return FORGET.search(asked) or FORGET_PLAINLY.search(asked)


def find_plain_wish(text: str) -> re.Match[str] | None:
    """Return where a text says nothing else but that something is to be forgotten."""
    return FORGET_PLAINLY.search(_remove_warnings(text))


def is_warning(text: str) -> bool:
    """Tell whether all that a text says of forgetting is that it should not be done."""
    return _FORGET_NOT.search(text) is not None and find_wish(text) is None


def is_opening_news(text: str) -> bool:
    """Tell whether a text opens with what is told, and says nothing of forgetting."""
    return _NEWS_OPENED.search(text) is not None and find_wish(text) is None


def is_correcting(text: str) -> bool:
    """Tell whether a text says what was meant: "scrap that, I meant Thursday"."""
    return _CORRECTED.search(text) is not None


def _remove_warnings(text: str) -> str:
    """Return a text of the same length with blanks where it warns."""
    return _FORGET_NOT.sub(lambda match: " " * len(match[0]), text)
