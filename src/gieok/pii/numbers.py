"""Finds numbers: by how they are written, by their digits, and with letters."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.judge import Said, judged
from gieok.pii.model import Found
from gieok.pii.rules import BARE, LETTERED, RULES, Rule

_GAP: Final = r"[\s.\-/,()+]{0,3}+"
_LONG: Final = re.compile(rf"\d(?:{_GAP}\d){{6}}")
_CLUSTER: Final = re.compile(rf"[+(]{{0,2}}\d(?:{_GAP}\d)*+")
_GROUP: Final = re.compile(r"\d+")
_NOT_DIGIT: Final = re.compile(r"\D")
_LISTED: Final = re.compile(r"[,(/]")
_LETTERED: Final = re.compile(r"[A-Za-z가-힣][ \-]?\d[ \-]?\d")
_LONGEST: Final = 19
_SHORTEST: Final = 7
_SPELLED: Final = 2
"""Digits of a group that belongs to a number dictated bit by bit."""

Span = tuple[int, int]


def numbers(said: Said) -> Iterator[Found]:
    """Yield every number a rule is sure of; places may overlap."""
    if _LONG.search(said.text):
        for cluster in _CLUSTER.finditer(said.text):
            if cluster.end() - cluster.start() >= _SHORTEST:
                yield from _written(said, cluster.span())
                yield from _bare(said, cluster.span())
    if _LETTERED.search(said.text):
        for rule in LETTERED:
            yield from _matches(rule, said, (0, len(said.text)), letters=True)


def _written(said: Said, cluster: Span) -> Iterator[Found]:
    reach = (cluster[0], min(cluster[1] + 1, len(said.text)))
    for rule in RULES:
        yield from _matches(rule, said, reach)


def _matches(
    rule: Rule, said: Said, reach: Span, *, letters: bool = False
) -> Iterator[Found]:
    for match in rule.form.finditer(said.text, *reach):
        written = match.group()
        digits = written if letters else _NOT_DIGIT.sub("", written)
        found = judged(rule, said, match.span(), written, digits)
        if found:
            yield found


def _bare(said: Said, cluster: Span) -> Iterator[Found]:
    for start, end in _dictated(said.text, cluster):
        written = said.text[start:end]
        digits = _NOT_DIGIT.sub("", written)
        if not _SHORTEST <= len(digits) <= _LONGEST:
            continue
        for rule in BARE:
            if rule.form.fullmatch(digits):
                found = judged(rule, said, (start, end), written, digits)
                if found:
                    yield found


def _dictated(text: str, cluster: Span) -> Iterator[Span]:
    """Yield single groups, the whole cluster, and what was dictated bit by bit."""
    groups = [match.span() for match in _GROUP.finditer(text, *cluster)]
    yield from (span for span in groups if _alone(text, span))
    if len(groups) == 1:
        return
    spans = set(_bits(groups))
    whole = (groups[0][0], groups[-1][1])
    if whole[1] - whole[0] <= 3 * _LONGEST and not _LISTED.search(text, *whole):
        spans.add(whole)
    yield from sorted(spans)


def _alone(text: str, span: Span) -> bool:
    """Tell whether a group is no part of a word or of a longer number."""
    before, after = text[max(0, span[0] - 2) : span[0]], text[span[1] : span[1] + 2]
    return not (
        re.search(r"[A-Za-z]$|[A-Za-z0-9][-.]$", before)
        or re.match(r"[A-Za-z]|[-.][A-Za-z0-9]", after)
    )


def _bits(groups: list[Span]) -> Iterator[Span]:
    run: list[Span] = []
    for group in [*groups, (0, _LONGEST)]:
        if group[1] - group[0] <= _SPELLED:
            run.append(group)
            continue
        if len(run) > 1:
            yield run[0][0], run[-1][1]
        run = []
