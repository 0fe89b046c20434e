"""Every form of a special category is found in its example, and not beside it."""

import pytest

from gieok.pii import find, is_special
from gieok.pii.model import PiiKind
from gieok.pii.topics import load_not_meant, load_topics, parse_topics
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


@pytest.mark.parametrize(("form", "said"), load_not_meant().items())
def test_what_means_something_else_holds_a_form_and_is_nothing_special(
    form: str, said: str
) -> None:
    assert build_vocabulary(form).search(said)
    assert not is_special(said)
    forms = [each for _, each, _, _ in EXAMPLES]
    assert build_vocabulary(*forms).search(said), "it would be taken for one"


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


@pytest.mark.parametrize(
    "said",
    [
        "The user has asthma",
        "사용자는 천식이 있다",
        "편두통이 심해",
        "my dad’s crohn’s is worse",
        "His father had a stroke",
        "self harm",
        "I have covid",
        "I'm an alcoholic",
        "I'm gay",
        "two lesbians",
        "나 게이야",
        "Muslim",
        "im muslim",
        "I am Muslim",
        "The user is Muslim",
        "The user is a Catholic",
        "i’m christian",
        "I go to mass",
        "우리 집은 불교",
        "The user tested positive for COVID-19",
        "I'm a psychiatrist and I have cancer",
        "a stroke of luck that he survived when he had a stroke",
    ],
)
def test_what_people_refuse_is_found_however_it_is_worded(said: str) -> None:
    assert is_special(said)


@pytest.mark.parametrize(
    "said",
    [
        "진 게이밍 노트북을 샀어",
        "히가시노 게이고를 읽어",
        "I teach the butterfly stroke",
        "a stroke of luck",
        "the mass of a body",
        "she went to a catholic school",
        "my brother Christian plays the cello",
        "non-alcoholic beer, please",
        "신천식당에서 먹었어",
        "그건 각자해",
        "통풍이 잘 되는 셔츠",
        "I've worked from home since covid",
        "we moved to Busan during covid",
        "I bought a Christian Dior bag",
        "I like a Christian Bale movie",
        "my favourite game is Suicide Squad",
        "I had a stroke of genius",
        "I'm a psychiatrist in Seoul",
        "I’m a psychiatrist",
    ],
)
def test_what_only_looks_like_it_is_nothing_special(said: str) -> None:
    assert not is_special(said)


def test_every_example_stands_for_itself() -> None:
    said = [said for _, _, said, _ in EXAMPLES]
    assert len(set(said)) == len(said)
