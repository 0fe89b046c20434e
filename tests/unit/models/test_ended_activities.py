"""What is stated to be over ends what was known of it, and nothing else."""

import pytest

from gieok.kernel.language import (
    Category,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.changes.ended_activities import (
    drop_unended,
    find_ended_activities,
)
from gieok.models.rules.changes.relation import ItemRelation
from gieok.text.kiwi import get_shared_morphology


def _collect(said: str, asked: str) -> tuple[ClauseCandidate, ...]:
    heard = [Utterance(0, Role.ASSISTANT, asked), Utterance(1, Role.USER, said)]
    return collect_candidates(heard[not asked :], get_shared_morphology())


def _list_known(contents: tuple[str, ...]) -> list[KnownMemory]:
    return [
        KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(contents)
    ]


def _find_ended(said: str, *contents: str, asked: str = "") -> dict[int | None, str]:
    found = find_ended_activities(_collect(said, asked), _list_known(contents), [])
    return {one.known: one.remaining for one in found}


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("ive jacked in the cello anyway", "The user plays the cello in a quartet"),
        ("packed the cello in", "The user plays the cello"),
        ("oh and i quit the bingo", "Bingo at st pats Fridays at two"),
        ("I've given up the organ.", "The user plays the organ at St Mary's"),
        ("I quit playing the organ.", "The user said: “i play the organ there”"),
        ("Update: I came off the sertraline", "The user takes sertraline daily"),
        ("they took me off metformin", "The user mentioned metformin twice a day"),
        ("I quit smoking three weeks ago", "The user smokes ten a day"),
        ("I'm done with physio", "The user goes to physio on Fridays"),
        ("I don't do karate any more", "The user does karate with a friend's club"),
        ("heels all better finally", "The user's doctor says plantar fasciitis"),
        ("heels all better finally", "The doctor says it's plantar fasciitis"),
        ("my elbow's all better now", "The user has tennis elbow"),
        ("나 테니스 접었어", "사용자는 토요일마다 테니스를 친다"),
        ("오메가3는 이제 끊었어", "사용자는 매일 아침 오메가3를 먹는다"),
        ("영어 학원 때려치웠어", "사용자는 영어 학원에 월수금 다닌다"),
        ("물리치료도 끝났고", "사용자는 물리치료를 다닌다"),
        ("발바닥 다 나았어", "사용자는 족저근막염이 있다"),
    ],
)
def test_what_is_over_ends(said: str, item: str) -> None:
    assert _find_ended(said, item) == {0: ""}


@pytest.mark.req("D05")
def test_everything_that_it_was_ends_once_told() -> None:
    known = _list_known(("The user does karate", "The user does karate on Mondays"))
    said = _collect("I've given up karate for good", "")
    update, end = find_ended_activities(said, known, [])
    assert (update.operation, update.stands) == (FindingOperation.UPDATE, False)
    assert (end.operation, end.stands) == (FindingOperation.DELETE, True)
    judged = [ItemRelation(0, 0, FindingOperation.DELETE, 0.6)]
    both = find_ended_activities(said, known, judged)
    assert {one.operation for one in both} == {FindingOperation.DELETE}


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item", "rest"),
    [
        (
            "I've packed in the harp",
            "The user is a nurse and plays the harp",
            "The user is a nurse",
        ),
        (
            "I've packed in the organ",
            "The user said: “i sing in a band. i play the organ there”",
            "The user said: i sing in a band.",
        ),
        (
            "물리치료도 끝났고",
            "사용자는 약 먹고 물리치료를 다닌다",
            "사용자는 약 먹는다",
        ),
        ("수영 그만뒀어", "사용자는 키가 크고 수영을 한다", "사용자는 키가 크다"),
        (
            "카페 알바는 그만뒀어",
            "사용자는 스물일곱이고 부산에서 카페 알바한다",
            "사용자는 스물일곱이다",
        ),
        ("첼로 접었어", "사용자는 피아노와 첼로를 배운다", "사용자는 피아노를 배운다"),
    ],
)
def test_what_goes_on_is_kept(said: str, item: str, rest: str) -> None:
    assert _find_ended(said, item) == {0: rest}


@pytest.mark.req("D05")
def test_two_ends_of_one_memory_count_together() -> None:
    item = "The user has plantar fasciitis and takes naproxen"
    assert _find_ended("My heels are better now and I'm off the naproxen", item) == {
        0: ""
    }


@pytest.mark.req("D05")
def test_what_was_asked_about_is_what_is_healed() -> None:
    items = (
        "사용자는 “어깨가 안 올라가서 갔더니 오십견이래”라고 말했다",
        "사용자는 허리가 아프다",
    )
    assert _find_ended("다 나았어", *items, asked="어깨는 좀 어떠세요?") == {0: ""}
    assert _find_ended("다 나았어", *items) == {}
    english = ("The user has a frozen shoulder", "The user has a bad knee")
    asked = "How's the shoulder?"
    assert _find_ended("all better now", *english, asked=asked) == {0: ""}


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("my sister packed in the cello", "The user plays the cello"),
        ("oh and i quit the bingo", "Dolores is at bingo on Fridays"),
        ("thinking of giving up the organ", "The user plays the organ"),
        ("I'd never give up the organ", "The user plays the organ"),
        ("the organ recital is over", "The user plays the organ"),
        ("off to the chemist for naproxen", "The user takes naproxen"),
        ("I gave up smoking in 2010 but took it up again", "The user smokes"),
        ("I'm off the ibuprofen", "The user is allergic to ibuprofen"),
        ("I've given up coffee", "The user gets migraines from coffee"),
        ("I've given up karate", "The user's daughter does karate"),
        ("I quit music", "The user has a degree in music"),
        (
            "I've packed in the harp",
            "The user teaches maths and plays the harp, the lute",
        ),
        ("my back's a bit better", "The user has a bad back"),
        ("my shoulder's all better", "The user has a tattoo on their shoulder"),
        ("dog's knee has healed up", "The user has a bad knee"),
        ("we stopped the car", "The user has a car"),
        ("우리 언니 테니스 접었대", "사용자는 테니스를 친다"),
        ("필라테스 그만둘까 고민이야", "사용자는 필라테스를 다닌다"),
        ("오늘 물리치료 끝났어", "사용자는 물리치료를 다닌다"),
        ("나 발레 그만뒀어", "사용자의 딸은 발레를 배운다"),
        ("오이 끊었어", "사용자는 오이에 알레르기가 있다"),
        ("헬스 끊었어", "사용자는 헬스를 다닌다"),
        ("어깨 다 나았어", "사용자는 어깨에 문신이 있다"),
        ("강아지가 다 나았어", "사용자는 허리가 아프다"),
    ],
)
def test_what_is_not_over_stays(said: str, item: str) -> None:
    assert _find_ended(said, item) == {}


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item", "kept"),
    [
        ("physio session's over for today", "The user goes to physio", 0),
        ("haven't quit the vitamins yet", "The user takes vitamins", 0),
        ("오이 끊었어", "사용자는 오이에 알레르기가 있다", 0),
        ("허리가 좀 나아졌어", "사용자는 허리가 아프다", 0),
        ("헬스 끊었어 세 달치", "사용자는 헬스를 다닌다", 0),
        ("담배 끊었어", "사용자는 담배를 피운다", 1),
    ],
)
def test_what_only_sounds_like_an_end_is_dropped(
    said: str, item: str, kept: int
) -> None:
    judged = [ItemRelation(0, 0, FindingOperation.DELETE, 0.7)]
    found = drop_unended(_collect(said, ""), _list_known((item,)), judged)
    assert len(found) == kept
