"""States an English question and its short answer as one sentence of the user's own.

"Do you have any allergies?" – "No, none" becomes "I don't have any allergies". Words
are turned about, nothing is added; where the question offers, suggests or asks why,
nothing is stated.
"""

import re
from typing import Final

from gieok.models.rules.english import conjugate_verb
from gieok.models.rules.lexicon import KIN_EN
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_YES: Final = _LISTS.compile_list("english.yes")
_NO: Final = _LISTS.compile_list("english.no")
_ECHOED: Final = _LISTS.compile_list("english.echoed")
_ADDRESS: Final = _LISTS.compile_list("english.address")
_REFUSED: Final = _LISTS.compile_list("english.refused")
_TAG: Final = _LISTS.compile_list("english.tag")
_ALTERNATIVE: Final = compile_lazily(r",\s*[^,]+ or [^,]+$")
_AUXILIARIES: Final = _LISTS.get_words("english.auxiliaries")
_DENIED: Final = _LISTS.get_spellings("english.denied")
_PERSONS: Final = _LISTS.get_spellings("english.persons")
_NAMES: Final = _LISTS.get_words("english.names")
_OF_TIME: Final = _LISTS.compile_list("english.of_time")
_TRAILING: Final = compile_lazily(
    r" (?:this time|at all|exactly|then)\?$", re.IGNORECASE
)
_VOCATIVE: Final = compile_lazily(
    r"^(?:love|dear|pet|mate|sir|miss|ma'am|teacher|darling)\b[\s,.]*", re.IGNORECASE
)
_DAY: Final = compile_lazily(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)
_PREPOSITION: Final = _LISTS.compile_list("english.preposition")
_PREDICATE: Final = _LISTS.compile_list("english.predicate")
_OWNED: Final = PatternFile("gieok.models.rules", "english.toml").get_words(
    "noun.owned"
)
_SUBJECT: Final = _LISTS.compile_list("english.subject")
_SMALL: Final = _LISTS.get_words("english.small")
_FINITE: Final = _LISTS.compile_list("english.finite")
_CALLED: Final = compile_lazily(r",\s+[A-Z]\w+(\s*\?+)$")
_RANKS: Final = frozenset({"other", "younger", "older", "eldest", "oldest", "youngest"})
MOST_WORDS: Final = 6
"""Words of an answer that is part of a sentence."""
FEW_WORDS: Final = 2
_DURATION: Final = compile_lazily(
    r"^(?:since|for|all|over|about|almost|nearly)\b", re.IGNORECASE
)


_PERSON_WORD: Final = compile_lazily(
    r"\b(?:you're|you've|yourself|yours|your|you)\b", re.IGNORECASE
)
_SUBJECT_NEXT: Final = compile_lazily(r"\s+(?:can|can't|do|don't|\w+)\b")


def _replace_person(text: str, *, subject: bool = False) -> str:
    """Return words about "you" as words about "I"; "you" is "me" where it is none."""

    def turn(match: re.Match[str]) -> str:
        low = match[0].lower()
        last = not _SUBJECT_NEXT.match(text[match.end() :])
        if low == "you" and not subject and match.start() and last:
            return "me"
        return _PERSONS[low]

    return _PERSON_WORD.sub(turn, text)


def _clean_question(question: str) -> str:
    """Return the question without address, small words and its sign."""
    straight = question.replace("’", "'").strip()
    called = _CALLED.sub(r"\1", _ADDRESS.sub("", straight)).strip()
    return _TRAILING.sub("?", called)


def _split_subject(text: str) -> tuple[str, str] | None:
    """Return the subject that opens a text, and the rest of it."""
    words = text.split()
    if not words:
        return None
    low = words[0].lower()
    if low == "you":
        return words[0], " ".join(words[1:])
    if low != "your" or len(words) < 2:  # noqa: PLR2004
        return None
    size = 2
    while words[size - 1].lower().endswith("'s") and size < len(words):
        size += 1
    if words[size - 1].lower() in _RANKS:
        size += 1
    elif words[size - 1].lower() not in KIN_EN | _NAMES and size < len(words) - 1:
        following = words[size].lower()
        size += following in ("job", "name", "course", "class", "school", "level")
    return " ".join(words[:size]), " ".join(words[size:])


def _correct_denied(said: str) -> str:
    """Return a denied sentence with its small words fitting it."""
    said = re.sub(r"\b(?:still|already) ", "", said) + (
        " anymore" if re.search(r"\bstill\b", said) else ""
    )
    said = re.sub(r" not ever\b", " never", said)
    return re.sub(r"\b(?:some)\b", "any", said)


def _correct_affirmed(said: str) -> str:
    """Return an affirmed sentence without the words that only questions have."""
    said = re.sub(
        r"\bany(?:thing)? ", lambda m: "something " if "thing" in m[0] else "", said
    )
    return re.sub(r" (?:yet|ever)\b", "", said)


def _conjugate_first(said: str) -> str:
    """Return words that open with a verb, the verb in the third person."""
    still = "still " if said.lower().startswith("still ") else ""
    verb, _, rest = said[len(still) :].partition(" ")
    return f"{still}{conjugate_verb(verb)} {rest}".strip()


def _join_polar(auxiliary: str, subject: str, rest: str, *, denied: bool) -> str:
    """Return a yes-or-no question as a statement."""
    person = "I" if subject.lower() == "you" else _replace_person(subject, subject=True)
    verb = {"are": "am", "were": "was"}.get(auxiliary, auxiliary)
    verb = verb if person == "I" else auxiliary
    said = _replace_person(" " + rest).strip()
    if denied:
        return _correct_denied(f"{person} {_DENIED[verb]} {said}".strip())
    if verb in ("do", "does"):
        told = _conjugate_first(said) if verb == "does" else said
        return _correct_affirmed(f"{person} {told}")
    return _correct_affirmed(f"{person} {verb} {said}".strip())


def _read_polar(question: str) -> tuple[str, str, str] | None:
    """Return auxiliary, subject and rest of a yes-or-no question."""
    text = question.rstrip("?! ")
    words = text.split()
    if not words:
        return None
    first = words[0].lower().removesuffix("n't")
    if first in _AUXILIARIES:
        split = _split_subject(" ".join(words[1:]))
        return None if split is None else (first, *split)
    return _read_declared(question)


def _read_declared(question: str) -> tuple[str, str, str] | None:
    """'You live alone, don't you?', 'You're vegetarian, right?', 'Any pets?'."""
    text = _TAG.sub("", question).rstrip("?! ")
    any_of = re.match(r"(?:got )?any ([\w' -]+)$", text, re.IGNORECASE)
    if any_of:
        return "do", "you", f"have any {any_of[1]}"
    said = re.sub(r"^you're\b", "you are", text, flags=re.IGNORECASE)
    said = re.sub(r"^you've\b", "you have", said, flags=re.IGNORECASE)
    words = said.split()
    if len(words) < 2 or words[0].lower() != "you":  # noqa: PLR2004
        return None
    if words[1].lower() in ("are", "can", "were") or said != text:
        return words[1].lower(), "you", " ".join(words[2:])
    return "do", "you", " ".join(words[1:])


def _normalize_opening(answer: str) -> str:
    """Return an answer without the capital of a small word that it opens with."""
    small = _normalize_first(answer) in _SMALL
    return answer[:1].lower() + answer[1:] if small else answer


def render_english_answer(
    question: str, answer: str, *, most: int = MOST_WORDS
) -> str | None:
    """Return question and answer as one sentence in the first person, or nothing.

    An answer that is put into its question has `most` words.
    """
    asked = _clean_question(question)
    said = _normalize_opening(answer.replace("’", "'").strip())
    if _REFUSED.search(asked):
        return _render_addressed(asked, said)
    if re.match(r"(?:what|where|when|who|which|how)\b", asked, re.IGNORECASE):
        return _render_value(asked.rstrip("?! "), said.strip(" .!"), most)
    polar = _read_polar(_ALTERNATIVE.sub("", asked))
    return None if polar is None else _render_polar(polar, said)


def _render_addressed(asked: str, said: str) -> str | None:
    """'What should I call you?', 'Would you say you're an introvert?'."""
    if re.match(r"what (?:should|shall|can) i call you", asked, re.IGNORECASE):
        return f"I want to be called {said.strip(' .!')}"
    if match := re.match(r"would you say (you.+)", asked, re.IGNORECASE):
        polar = _read_declared(match[1])
        return None if polar is None else _render_polar(polar, said)
    return None


def _render_polar(polar: tuple[str, str, str], said: str) -> str | None:
    """Return what a yes or no with its rest, or a fragment, says."""
    yes, no = _YES.match(said), _NO.match(said)
    match = yes or no
    if match is None:
        whole = _PREDICATE.match(said) or not said
        return None if whole else _render_fragment(polar, said.strip(" .!"))
    rest = said[match.end() :]
    while more := (_NO.match(rest) if no else _YES.match(rest)):
        rest = rest[more.end() :]
    rest = "" if _ECHOED.match(rest) else rest.strip(" .!")
    rest = _VOCATIVE.sub("", rest)
    if no:
        if _normalize_first(rest) in polar[2].lower().split():
            rest = ""  # "no microwave", asked "Do you have a microwave?"
        return _append_rest(_join_polar(*polar, denied=True), rest, " but")
    auxiliary, subject, asked = polar
    if rest and "anything" in asked and not _FINITE.search(rest):
        asked = asked.replace("anything", rest)
        return _join_polar(auxiliary, subject, asked, denied=False)
    joint = ":" if re.search(r"\bany \w+$", asked) else ","
    return _append_rest(_join_polar(*polar, denied=False), rest, joint)


def _render_fragment(polar: tuple[str, str, str], said: str) -> str | None:
    """'Any pets?' – 'Two cats'; 'Do you work from home?' – 'Tuesdays'."""
    auxiliary, subject, rest = polar
    if len(said.split()) > MOST_WORDS or _FINITE.search(said):
        return None
    had = re.match(r"(?:have|got) (?:any )?(.+)$", rest)
    if had and auxiliary in ("do", "have"):
        noun = had[1].split(" or ")[0]
        named = _get_last_noun(said) == _get_last_noun(noun)
        return f"I have {said}" if named else f"I have {noun}: {said}"
    adverbial = _PREPOSITION.match(said) or _DAY.match(said)
    numbered = re.search(r"\d", said) is not None
    if auxiliary == "are" and subject.lower() == "you" and not numbered:
        plain = not adverbial and len(said.split()) <= FEW_WORDS
        whole = len(rest.split()) <= FEW_WORDS and _normalize_first(said) not in _SMALL
        return f"I am {said}" if plain and whole else None
    if auxiliary not in ("do", "does", "are") or (auxiliary == "are" and adverbial):
        return None
    sentence = _join_polar(auxiliary, subject, rest, denied=False)
    return f"{sentence}{',' if adverbial else ':'} {said}"


def _normalize_first(text: str) -> str:
    """Return the first word, without signs."""
    return text.partition(" ")[0].lower().strip(",.!")


def _get_last_noun(text: str) -> str:
    """Return the last word, in the singular."""
    return text.rpartition(" ")[2].lower().rstrip("s")


def _append_rest(sentence: str, rest: str, joint: str) -> str:
    """Return a sentence with what the answer adds to it."""
    if not rest:
        return sentence
    whole = _PREDICATE.match(rest) or re.search(
        r"\b(?:is|are|was|were|has|does|did|don't|moved|died)\b", rest
    )
    return f"{sentence}; {rest}" if whole else f"{sentence}{joint} {rest}"


def _render_value(asked: str, said: str, most: int) -> str | None:
    """Put the answer in the place of a question word."""
    if (
        not said
        or _YES.match(said)
        or (_NO.match(said) and not said.lower().startswith("no "))
        or _SUBJECT.match(said)
        or "?" in said
        or _FINITE.search(said)
        or len(said.split()) > most
    ):
        return None
    for pattern, sentence in _VALUES:
        if match := pattern.match(_ALTERNATIVE.sub("", asked)):
            return sentence(match, said)
    return None


def _render_name(match: re.Match[str], said: str) -> str | None:
    what = match[1]
    if what[:4].lower() == "the " and " of your " not in what:
        owned = what.rpartition(" ")[2].lower() in _OWNED
        return f"my {what[4:]} is {said}" if owned else None
    return f"{_replace_person(match[1], subject=True)} is {said}"


def _render_age(match: re.Match[str], said: str) -> str:
    who = match[1].lower()
    verb = "am" if who == "you" else "is"
    subject = "I" if who == "you" else _replace_person(match[1], subject=True)
    years = "" if re.search(r"month|year", said) else " years old"
    return f"{subject} {verb} {said}{years}"


def _render_occupation(_: re.Match[str], said: str) -> str:
    article = "" if re.match(r"(?:a|an|the|i)\b", said, re.IGNORECASE) else "a "
    if article and said[:1].lower() in "aeiou":
        article = "an "
    return f"I work as {article}{said[:1].lower()}{said[1:]}"


def _render_clause(match: re.Match[str], said: str, joint: str = "") -> str:
    """Return 'you live' as 'I live', with the answer behind it."""
    auxiliary, subject, rest = match["aux"].lower(), match["who"], match["rest"]
    sentence = _join_polar(auxiliary, subject, rest, denied=False)
    return f"{sentence} {joint}{said}"


def _render_place(match: re.Match[str], said: str) -> str:
    stranded = re.search(r"\b(?:from|to|in|at)$", match["rest"])
    joint = "" if stranded or _PREPOSITION.match(said) else "in "
    if re.match(r"the\b", said, re.IGNORECASE):
        joint = "at "
    return _render_clause(match, said, "at " if re.match(r"at\b", joint) else joint)


def _render_time(match: re.Match[str], said: str) -> str:
    bare = not _PREPOSITION.match(said)
    joint = "at " if bare and _OF_TIME.match(said) else ""
    return _render_clause(match, said, "on " if bare and _DAY.match(said) else joint)


def _render_duration(match: re.Match[str], said: str) -> str:
    return _render_clause(match, said, "" if _DURATION.match(said) else "for ")


def _render_count(match: re.Match[str], said: str) -> str:
    sentence = _render_clause(match, said)
    return f"{sentence} {match['what']}"


def _render_object(match: re.Match[str], said: str) -> str:
    return _render_clause(match, said)


_WHO: Final = r"(?P<who>you|your (?:[\w-]+'s )?[\w-]+)"
_AUX: Final = r"(?P<aux>do|does|are|is|have|has|can)"
_REST: Final = r"(?P<rest>.*)$"
_VALUES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), sentence)
    for pattern, sentence in (
        (r"how old (?:are|is) (you|your .+)$", _render_age),
        (r"what do you do(?: for work| for a living|)?$", _render_occupation),
        (
            (
                r"(?:what|who|where|when)(?:'s| is| are) "
                r"(your .+|the name of your .+|the [\w ]+)$"
            ),
            _render_name,
        ),
        (
            r"how(?:'s| is| are) (your [\w ]+?)(?: these days| now| lately|)$",
            _render_name,
        ),
        (r"what (?:level|grade|year) is (your .+)$", _render_name),
        (rf"how (?:often|much|far) {_AUX} {_WHO} {_REST}", _render_object),
        (rf"how long {_AUX} {_WHO} {_REST}", _render_duration),
        (rf"how many (?P<what>[\w ]+?) {_AUX} {_WHO} {_REST}", _render_count),
        (
            rf"how {_AUX} {_WHO} (?P<rest>(?:take|like|spell|drink|eat|have) .+)$",
            _render_object,
        ),
        (rf"where {_AUX} {_WHO} {_REST}", _render_place),
        (rf"(?:what time|when) {_AUX} {_WHO} {_REST}", _render_time),
        (
            (
                rf"(?:what|which|who|whom)(?: (?:kind|sort|type)s? of)?(?: [\w ]+?)?? "
                rf"(?P<aux>do|does|are|is|can) {_WHO} (?P<rest>(?!do\b).*)$"
            ),
            _render_object,
        ),
    )
)
