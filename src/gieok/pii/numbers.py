"""Finds numbers: by how they are written, by their digits, and with letters."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.rules import NumberRule, load_number_rules
from gieok.pii.scoring import ScannedText, score_match
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

_GAP: Final = r"[\s.\-/,()+]{0,3}+"
_LONG: Final = compile_lazily(rf"\d(?:{_GAP}\d){{6}}")
_CLUSTER: Final = compile_lazily(rf"[+(]{{0,2}}\d(?:{_GAP}\d)*+")
_GROUP: Final = compile_lazily(r"\d+")
_NOT_DIGIT: Final = compile_lazily(r"\D")
_SCORE: Final = compile_lazily(r"(?<!\d)\d\d?-\d\d? \d\d?-\d\d?(?!\d)")
_LISTED: Final = compile_lazily(rf"[,(/]|{_SCORE.pattern}")
"""Several numbers rather than one."""
_DECIMAL: Final = compile_lazily(r"(?:0|[1-9]\d*)\.\d+")
_COUNTED: Final = _LISTS.compile_list("numbers.counted")
_STRONG: Final = 0.8
"""From here on it does not matter what goes on around a number."""
_LETTERED: Final = compile_lazily(r"[A-Za-z가-힣][ ,\-]{0,2}\d[ ,\-]{0,2}\d")
_SECURITY: Final = compile_lazily(
    r"[\s,;/|]{1,3}(?:exp[a-z]{0,5}[\s:]{0,2}|유효\s?기간[\s:]{0,2})?"
    r"(?P<expires>(?:\d\d ?[/\-.]? ?(?:\d\d){1,2}"
    r"|(?:20)?\d\d년 ?\d{1,2}월)(?!\d)(?:까지)?[\s,;/|]{1,3})?"
    r"(?P<label>(?:cvc2?|cvv2?|cid|csc|cvn|back|뒷면|뒤)(?:에|은|는)?[\s:]{0,2})?"
    r"(?P<code>\d{3,4})(?![\d\-])"
)
"""What follows a card's number: when it expires, and the code on its back."""
_LONGEST: Final = 19
_SHORTEST: Final = 7
_SPELLED: Final = 2
"""Digits of a group that belongs to a number dictated bit by bit."""

Span = tuple[int, int]


def find_numbers(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every number a rule is sure of; places may overlap."""
    if _LONG.search(said.text):
        for cluster in _CLUSTER.finditer(said.text):
            if cluster.end() - cluster.start() >= _SHORTEST:
                for found in _find_in_cluster(said, cluster.span()):
                    yield found
                    yield from _find_security_code(said, found)
    if _LETTERED.search(said.text):
        for rule in load_number_rules().lettered:
            yield from _match_rule(rule, said, (0, len(said.text)), letters=True)


def _find_in_cluster(said: ScannedText, cluster: Span) -> Iterator[PiiFinding]:
    yield from _find_formatted(said, cluster)
    yield from _find_bare(said, cluster)


def _find_security_code(said: ScannedText, found: PiiFinding) -> Iterator[PiiFinding]:
    """Yield the security code that is read off a card after its number."""
    if found.kind is PiiKind.CARD:
        code = _SECURITY.match(said.low, found.end)
        if code and (code["expires"] or code["label"]):
            yield PiiFinding(*code.span("code"), PiiKind.PASSWORD, 0.8)


def _find_formatted(said: ScannedText, cluster: Span) -> Iterator[PiiFinding]:
    reach = (cluster[0], min(cluster[1] + 1, len(said.text)))
    for rule in load_number_rules().written:
        yield from _match_rule(rule, said, reach)


def _match_rule(
    rule: NumberRule, said: ScannedText, reach: Span, *, letters: bool = False
) -> Iterator[PiiFinding]:
    for match in rule.form.finditer(said.text, *reach):
        written = match.group()
        digits = written if letters else _NOT_DIGIT.sub("", written)
        found = score_match(rule, said, match.span(), written, digits)
        if found and not _is_fragment(said, found):
            yield found


def _is_fragment(said: ScannedText, found: PiiFinding) -> bool:
    """Tell whether a weak find is a part of a longer row, or counts something."""
    start, end = found.start, found.end
    if found.confidence >= _STRONG:
        return False
    gaps = set(_NOT_DIGIT.findall(said.text, start, end))
    before, after = said.text[max(0, start - 2) : start], said.text[end : end + 2]
    return bool(
        (before[1:] in gaps and before[0].isdigit())
        or (after[:1] in gaps and after[1:].isdigit())
        or _COUNTED.match(said.low, end)
    )


def _find_bare(said: ScannedText, cluster: Span) -> Iterator[PiiFinding]:
    for start, end in _iterate_candidates(said.text, cluster):
        written = said.text[start:end]
        digits = _NOT_DIGIT.sub("", written)
        if not _SHORTEST <= len(digits) <= _LONGEST:
            continue
        for rule in load_number_rules().bare:
            if rule.form.fullmatch(digits):
                found = score_match(rule, said, (start, end), written, digits)
                if found and not _is_fragment(said, found):
                    yield found


def _iterate_candidates(text: str, cluster: Span) -> Iterator[Span]:
    """Yield single groups, the whole cluster, and what was dictated bit by bit."""
    groups = [match.span() for match in _GROUP.finditer(text, *cluster)]
    yield from (span for span in groups if _is_alone(text, span))
    whole = (groups[0][0], groups[-1][1])
    if len(groups) == 1 or _DECIMAL.fullmatch(text, *whole):
        return
    spans = {
        span for span in _iterate_dictated(groups) if not _SCORE.search(text, *span)
    }
    if whole[1] - whole[0] <= 3 * _LONGEST and not _LISTED.search(text, *whole):
        spans.add(whole)
    yield from sorted(spans)


def _is_alone(text: str, span: Span) -> bool:
    """Tell whether a group is no part of a word or of a longer number."""
    before, after = text[max(0, span[0] - 2) : span[0]], text[span[1] : span[1] + 2]
    return not (
        re.search(r"[A-Za-z]\Z|[A-Za-z0-9][-.]\Z", before)
        or re.match(r"[A-Za-z]|[-.][A-Za-z0-9]", after)
    )


def _iterate_dictated(groups: list[Span]) -> Iterator[Span]:
    run: list[Span] = []
    for group in [*groups, (0, _LONGEST)]:
        if group[1] - group[0] <= _SPELLED:
            run.append(group)
            continue
        if len(run) > 1:
            yield run[0][0], run[-1][1]
        run = []
