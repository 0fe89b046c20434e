"""What a stated separation ends of what is known, and what it leaves alone."""

import pytest

from gieok.kernel.language import (
    Category,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.changes.breakups import is_of_partner, resolve_breakups
from gieok.models.rules.changes.relation import ItemRelation
from gieok.text.kiwi import get_shared_morphology


def _say(text: str) -> tuple[ClauseCandidate, ...]:
    said = [Utterance(0, Role.USER, text)]
    return collect_candidates(said, get_shared_morphology())


def _list_known(*contents: str) -> list[KnownMemory]:
    return [
        KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(contents)
    ]


def _find_ended(said: str, *contents: str) -> list[str]:
    found = resolve_breakups(_say(said), _list_known(*contents), [])
    return [contents[one.known] for one in found if one.known is not None]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user is dating Tom", "me and tom broke up"),
        ("The user's boyfriend is called Roo", "roo left me"),
        ("The user has been with Ravi for six years", "we split up in May"),
        ("The user is getting married in October", "wedding's off"),
        ("The user's husband Carl is a plumber", "divorced now"),
        ("The user is dating Tom", "so tom and i aren't together anymore"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 헤어졌어"),
        ("사용자의 약혼자는 성민이다", "파혼했어"),
        ("사용자는 여친 지은이는 간호사이다", "지은이랑 쫑났어"),
        ("사용자의 남편은 공무원이다", "저 지난달에 이혼했어요"),
        ("사용자는 결혼한 지 5년 됐다", "이혼함"),
        ("사용자는 남자친구가 있다", "남자 친구랑 헤어졌어요"),
        ("사용자는 남친이랑 동거한다", "남친이랑 깨졌어"),
        ("사용자의 남편은 의사이다", "남편이랑 이혼했어요"),
        ("사용자는 애인이 있다", "애인이랑 쫑났어"),
        ("사용자의 여친 형지는 의사이다", "형지랑 헤어졌어"),
        ("사용자는 남친이랑 동거한다", "나 차였어"),
        ("사용자는 남친이랑 동거한다", "남친한테 차였어"),
        ("사용자는 남친이랑 동거한다", "내가 남친 찼어"),
        ("사용자는 남친이랑 동거한다", "우리 사이 끝났어"),
        ("사용자는 남친이랑 동거한다", "우리 끝났어"),
        ("사용자의 남편은 의사이다", "남편이랑 관계 정리했어"),
        ("사용자의 남편은 의사이다", "남편이 나를 떠났어"),
        ("사용자의 남친 현우는 개발자이다", "현우가 나 찼어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 끝냈어"),
        ("사용자의 남친 현우는 개발자이다", "나 다시 솔로야"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 오늘 깨졌어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 그저께 깨졌어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 며칠 전에 깨졌어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 저번달에 깨졌어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑은 끝났어"),
        ("사용자의 남친 현우는 개발자이다", "현우랑 진짜 끝났어"),
        ("사용자의 남친 현우는 개발자이다", "우리 어제 깨졌어"),
        ("사용자의 남친 현우는 개발자이다", "지난주에 차였어"),
        ("사용자의 남친 현우는 개발자이다", "며칠 전에 차였어"),
        ("사용자의 남친 현우는 개발자이다", "방금 차였어"),
        ("사용자의 남친 현우는 개발자이다", "카톡으로 차였어"),
        ("사용자의 남친 현우는 개발자이다", "나 진짜 차였어"),
        ("사용자의 남친 현우는 개발자이다", "남친이랑 성격이 안 맞아서 헤어졌어"),
        ("사용자의 남친 현우는 개발자이다", "남친이랑 거리가 멀어서 헤어졌어"),
    ],
)
def test_a_breakup_ends_what_says_who_the_partner_is(item: str, said: str) -> None:
    assert _find_ended(said, item) == [item]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user's best friend Tom lives in Leeds", "me and tom broke up"),
        ("The user's boyfriend Sam plays in a band", "sam's band broke up"),
        ("The user's boyfriend Sam plays in a band", "me and tom broke up"),
        ("The user is dating Lena", "my sister and her husband split up"),
        ("The user is dating Lena", "we split up the bill"),
        ("The user is dating Lena", "everyone broke up with laughter"),
        ("The user is dating Lena", "we nearly broke up"),
        ("The user has a boyfriend", "my boss left me a note"),
        ("The user's sister's husband is a cook", "we got divorced"),
        ("사용자의 동생 현우는 대학생이다", "현우랑 헤어졌어"),
        ("사용자는 남친이랑 동거한다", "남친이랑 헤어지고 집에 왔어"),
        ("사용자는 남친이랑 동거한다", "남친이랑 역에서 헤어졌어"),
        ("사용자는 남친이랑 동거한다", "우리 부모님 이혼했어"),
        ("사용자는 남친이랑 동거한다", "우리 형이 이혼했어"),
        ("사용자는 남친이랑 동거한다", "현우가 여친이랑 헤어졌대"),
        ("사용자는 남친이랑 동거한다", "민지가 남친이랑 헤어졌어"),
        ("사용자는 남친이랑 동거한다", "우리 방학 끝났어"),
        ("사용자는 남친이랑 동거한다", "우리 집 창문 깨졌어"),
        ("사용자는 남친이랑 동거한다", "우리 냉장고 정리했어"),
        ("사용자는 남친이랑 동거한다", "긁힌 게 내 차였어"),
        ("사용자는 남친이랑 동거한다", "이제 혼자예요"),
        ("사용자는 여자친구 민지랑 사귄다", "민지랑 프로젝트 끝냈어"),
        ("사용자의 남편은 의사이다", "남편이 출장 떠났어"),
        ("사용자의 남편은 의사이다", "남편이 설거지 끝냈어"),
        ("사용자의 남편은 의사이다", "남편 주식 손절했어"),
        ("사용자의 남편은 의사이다", "남편이랑 공을 찼어"),
        ("사용자의 남편은 의사이다", "남편 차였어요"),
        ("사용자의 남편은 의사이다", "수진이가 남편이랑 이혼했어"),
        ("사용자는 남친이랑 동거한다", "남친이랑 여섯시에 끝났어"),
        ("사용자는 남친이랑 동거한다", "우리 집에 창문 깨졌어"),
    ],
)
def test_nothing_else_ends(item: str, said: str) -> None:
    assert _find_ended(said, item) == []


@pytest.mark.req("D05")
def test_of_two_partners_the_named_one_is_meant() -> None:
    known = ("The user is dating Tom", "The user is seeing Ann")
    assert _find_ended("me and ann broke up", *known) == [known[1]]
    assert _find_ended("we broke up", *known) == []


@pytest.mark.req("D05")
def test_the_new_state_takes_the_place_of_one_memory() -> None:
    known = _list_known("The user is dating Tom", "The user's boyfriend Tom cooks")
    judged = [ItemRelation(0, 1, FindingOperation.DELETE, 0.8)]
    found = resolve_breakups(_say("me and tom broke up"), known, judged)
    assert [(one.known, one.operation.value) for one in found] == [
        (0, "update"),
        (1, "delete"),
    ]


def test_a_former_partner_is_no_partner() -> None:
    assert not is_of_partner("사용자의 전남편은 부산에 산다")
    assert not is_of_partner("The user's ex-husband lives in Hull")


def test_what_says_that_somebody_parted_is_no_wish_to_forget_them() -> None:
    known = _list_known("사용자의 남자친구는 재현이다")
    wish = ItemRelation(0, 0, FindingOperation.DELETE, 0.45, is_wish=True)
    (found,) = resolve_breakups(_say("재현이랑 헤어짐"), known, [wish])
    assert (found.operation, found.is_wish) == (FindingOperation.UPDATE, False)
