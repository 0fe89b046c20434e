"""A wish for everything about somebody means whatever names them, and nothing else."""

import numpy as np
import pytest

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.wishes.all_about import find_items_about, find_whole_subjects
from gieok.models.rules.wishes.pointing import PointingChances
from gieok.models.rules.wishes.subjects import build_item_subject
from gieok.models.rules.wishes.targets import find_wish_targets
from gieok.text.kiwi import get_shared_morphology

KNOWN = (
    "me n maya made up",
    "The user said: “maya got 95 she's my best friend”",
    "Maya's brother is called Jordan",
    "The user's sister is a vet",
    "Tom's sister is a singer",
    "The user's gas bill is 80 pounds",
    "The user has a red car",
    "사용자의 딸 서윤이는 유치원에 다닌다",
    "서윤이가 또 감기에 걸렸어요",
    "사용자의 남편은 배관공이다",
    "과장님 남편은 변호사래요",
    "사용자의 전남편은 부산에 산다",
    "사용자는 회사 앞에서 산다",
    "The user finds joy in painting",
    "사용자의 언니 남편은 경찰이다",
    "사용자는 맛집 찾아내는 걸 즐긴다",
    "The user is the sister of a nun",
    "사용자의 친구 딸이 수능을 본다",
    "The user's birthday is May 3",
    "The user calls on Skype",
    "사용자의 엄마는 위례에 산다",
    "사용자는 이모티콘을 받아들인다",
    "민수 엄마는 약사이다",
    "사용자는 B형 간염 보균자이다",
    "사용자는 어린이집 엄마들과 친하다",
    "사용자의 형은 소방관이다",
)


def find(wish: str) -> set[int]:
    morphology = get_shared_morphology()
    items = [
        build_item_subject(
            KnownMemory(str(n), text, Category.CONTEXT), frozenset(), morphology
        )
        for n, text in enumerate(KNOWN)
    ]
    return {*find_items_about(find_whole_subjects(wish, morphology), items)}


@pytest.mark.parametrize(
    ("wish", "meant"),
    [
        ("forget everything about maya pls we're done for real", {0, 1, 2}),
        ("Forget all about Maya.", {0, 1, 2}),
        ("anything you've got on me and Maya, bin it", {0, 1, 2}),
        ("everything about maya and my sister please", {0, 1, 2, 3}),
        ("delete everything about my sister", {3}),
        ("서윤이 얘기는 다 지워줘", {7, 8}),
        ("우리 서윤이에 대한 거 전부 잊어줘", {7, 8}),
        ("남편에 관한 건 싹 지워줘", {9}),
        ("아내 얘기는 다 지워줘", set()),
        ("우리 딸 얘기는 다 지워줘", {7}),
        ("엄마 아빠 얘기 다 지워줘", {20}),
        ("형 얘기 다 지워줘", {25}),
        ("서윤이랑 남편 얘기는 다 지워줘", {7, 8, 9}),
        ("forget everything about Joy", set()),
    ],
)
def test_everything_about_somebody_is_whatever_names_them(
    wish: str, meant: set[int]
) -> None:
    assert find(wish) == meant


@pytest.mark.parametrize(
    "wish",
    [
        "forget everything about Maya's brother",
        "forget everything about my sister in law",
        "forget everything about my sister at work",
        "forget everything about mayas sister",
        "forget everything about Maya moving out",
        "forget everything about it",
        "forget everything about me",
        "forget everything about my car",
        "forget everything about my sister being ill",
        "forget all my plans with Maya",
        "forget all about the bill",
        "forget everything I told you on Sunday",
        "forget everything I told you on Skype",
        "delete everything on May 3",
        "delete everything that isn't about Maya",
        "erase everything that has nothing to do with Maya",
        "forget everything about Maya but her birthday",
        "forget my address and tell me everything about Maya",
        "forget maya's birthday",
        "it's all right about maya",
        "회사 얘기는 다 지워줘",  # who lives near it is not meant
        "서윤이 얘기 아닌 건 다 지워줘",
        "남편 얘기 말곤 다 지워줘",
        "언니 남편 얘기는 다 지워줘",
        "회사랑 남편 얘기는 다 지워줘",
        "이모 얘기는 다 지워줘",
        "남편 일 얘기는 다 지워줘",
        "남편이 말한 거 다 잊어줘",
        "서윤이 감기 얘기는 다 지워줘 딴 건 말고",
        "다 잊어줘",
    ],
)
def test_nobody_is_meant_whole_where_something_of_them_is(wish: str) -> None:
    assert find(wish) == set()


def test_it_is_meant_though_somebody_was_just_spoken_of() -> None:
    """A wish about what was just told is otherwise about that alone."""
    morphology = get_shared_morphology()
    said = ("so maya n me arent talking", "ok", "forget everything about maya")
    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    talk = [Utterance(n, roles[n], text) for n, text in enumerate(said)]
    candidates = collect_candidates(talk, morphology)
    none = np.zeros(len(candidates))
    found = find_wish_targets(
        candidates,
        [KnownMemory(text, text, Category.CONTEXT) for text in KNOWN],
        [frozenset()] * len(KNOWN),
        PointingChances(none, none),
        none,
        morphology,
    )
    assert [*found.sure.values()] == [frozenset({0, 1, 2})]
