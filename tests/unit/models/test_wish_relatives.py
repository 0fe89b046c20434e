"""Whom a wish to forget names, and whose relatives they are."""

import numpy as np
import pytest

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.wishes.certainty import POSSIBLY_MEANT
from gieok.models.rules.wishes.pointing import PointingChances
from gieok.models.rules.wishes.scores import apply_targets
from gieok.models.rules.wishes.subjects import (
    PERSON,
    build_item_subject,
    extract_terms_and_people,
)
from gieok.models.rules.wishes.targets import WishTargets, find_wish_targets
from gieok.text.kiwi import get_shared_morphology


def read(known: tuple[str, ...], *said: str) -> WishTargets:
    """Return what the wish that is said last means; replies stand between."""
    morphology = get_shared_morphology()
    roles = (Role.USER, Role.ASSISTANT)
    talk = [Utterance(n, roles[n % 2], text) for n, text in enumerate(said)]
    candidates = collect_candidates(talk, morphology)
    none = np.zeros(len(candidates))
    return find_wish_targets(
        candidates,
        [KnownMemory(text, text, Category.CONTEXT) for text in known],
        [frozenset()] * len(known),
        PointingChances(none, none),
        none,
        morphology,
    )


@pytest.mark.parametrize(
    ("text", "people", "terms"),
    [
        ("제안을 받아들인다", set(), {"제안", "받아들이"}),
        ("이모티콘", set(), {"이모티콘"}),
        ("이모부 댁", set(), {"이모부", "댁"}),
        ("작은아버지 댁", {"작은아버지"}, {"댁"}),
        ("외할머니는 간호사", {"할머니"}, {"간호사"}),
        ("남편은 간호사", {"남편"}, {"간호사"}),
        ("여자친구랑 여행", {"여자친구"}, {"여행"}),
        ("전여친 생일", {"전여친"}, {"생일"}),
        ("my ex wife", {"ex-wife"}, set[str]()),
        ("my mother in law", {"mother-in-law"}, set[str]()),
        ("전 남편", {"전남편"}, set[str]()),
        ("새엄마 생일", {"새엄마"}, {"생일"}),
        ("여행에서 영감을 받는다", set(), {"여행", "영감", "받"}),
        ("my wife", {"wife"}, set[str]()),
    ],
)
def test_people_are_whole_words(text: str, people: set[str], terms: set[str]) -> None:
    found = extract_terms_and_people(text, get_shared_morphology())
    assert found == (terms, {PERSON[name] for name in people})


def test_what_the_user_is_to_others_is_no_relative_of_theirs() -> None:
    morphology = get_shared_morphology()
    for text in ("The user is a mother of two", "사용자는 두 아이의 엄마이다"):
        known = KnownMemory(text, text, Category.CONTEXT)
        assert not build_item_subject(known, frozenset(), morphology).people
    assert read(
        ("The user is a mother of two", "The user's mother is a nurse"),
        "forget what I said about my mother",
    ).named == {0: 1}


def test_a_relatives_husband_is_not_the_users() -> None:
    known = ("사용자의 언니 남편은 경찰이다", "사용자의 남편은 배관공이다")
    assert read(known, "남편 얘기는 잊어줘").shared == {0: frozenset({1})}
    assert read(known, "언니 남편 얘기는 잊어줘").named == {0: 0}
    assert not read(known[1:], "걔 남편 얘기는 잊어줘").named
    plumber = ("The user's husband is a plumber",)
    assert read(plumber, "forget about my husband").named == {0: 0}
    assert not read(plumber, "forget about her husband").named


def test_a_word_that_says_who_somebody_is_stays() -> None:
    known = ("사용자가 가장 존경하는 사람은 할머니이다", "사용자는 딸인 서윤이와 산다")
    assert read(known, "할머니 얘기는 잊어줘").named == {0: 0}
    assert read(known, "딸 얘기는 잊어줘").named == {0: 1}


def test_what_is_named_behind_a_comma_is_meant() -> None:
    known = ("The user's dad had a stroke", "The user likes tea")
    said = ("my dad had a stroke", "Oh no.", "i like tea", "Noted.")
    found = read(known, *said, "delete that, the bit about my dad")
    assert 1 in next(iter(found.unnamed.values()))
    assert 0 not in next(iter(found.unnamed.values()))


def test_a_reason_behind_a_comma_is_not_meant() -> None:
    known = ("The user's boss is called Jim",)
    assert not read(known, "scratch that, the boss said no").named


def test_what_alone_has_several_words_of_a_wish_is_asked_about() -> None:
    known = (
        "The user said: “she's a nurse at Jimmy's”",
        "The user lives with Ines",
        "The user has a cat",
    )
    wish = "forget about Ines being a nurse at Jimmys"
    found = read(known, wish)
    assert found.likely == {0: frozenset({0})}
    settled = apply_targets(np.zeros(len(known)), 0, found)
    assert settled.tolist() == [POSSIBLY_MEANT, 0, 0]
    again = (*known, "The user's aunt is a nurse at Jimmy's")
    assert not read(again, wish).likely[0], "it may be either"
    assert not read(known[1:], wish).likely[0]


def test_an_allergy_goes_with_all_about_somebody() -> None:
    known = (
        "The user's daughter is allergic to nuts",
        "The user is allergic to fish",
    )
    found = read(known, "delete everything about my daughter")
    assert found.sure == {0: frozenset({0})}
    assert found.doubted == {0: frozenset({1})}
