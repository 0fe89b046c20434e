"""Every form of a special category is found in its example, and not beside it."""

import pytest

from gieok.pii import find
from gieok.pii.model import PiiKind
from gieok.pii.topics import load_topics, parse_topics
from gieok.text.vocabulary import build_vocabulary

EXAMPLES = [
    (kind, form, said, missed)
    for kind, forms in load_topics().items()
    for form, (said, missed) in forms.items()
]


@pytest.mark.parametrize(("kind", "form", "said", "missed"), EXAMPLES)
def test_a_form_is_found_in_its_example(
    kind: PiiKind, form: str, said: str, missed: str
) -> None:
    assert kind in {finding.kind for finding in find(said)}
    alone = build_vocabulary(form)
    assert alone.search(said.lower())
    assert not alone.search(missed.lower())


@pytest.mark.parametrize(
    "twice",
    [
        '[health]\n"a" = ["a", "b"]\n[crime]\n"a" = ["a", "b"]',
        '[health]\n"a" = ["a", "b"]\n"a" = ["a", "c"]',
    ],
)
def test_a_form_that_stands_twice_is_refused(twice: str) -> None:
    with pytest.raises(ValueError, match=r"under two kinds: a|overwrite"):
        parse_topics(twice)


def test_every_example_stands_for_itself() -> None:
    said = [said for _, _, said, _ in EXAMPLES]
    assert len(set(said)) == len(said)
