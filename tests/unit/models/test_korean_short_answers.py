"""What a few Korean words say together with the question that they answer."""

import pytest

from gieok.models.rules.korean.answers import render_korean_answer
from gieok.text.kiwi import get_shared_morphology


def _render(asked: str, said: str) -> str | None:
    return render_korean_answer(asked, said, get_shared_morphology())


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아들 있으세요?", "아뇨 딸이에요", "저는 아들이 없고 딸이 있다"),
        (
            "강아지 키우세요?",
            "아뇨 고양이예요",
            "저는 강아지를 키우지 않고 고양이를 키운다",
        ),
        (
            "강아지 키우세요?",
            "아뇨 동생이요",
            "저는 강아지를 키우지 않고 제 동생은 강아지를 키운다",
        ),
        ("형제 있으세요?", "네 자매예요", "저는 자매가 있다"),
        ("딸 있으세요?", "네 아들도요", "저는 딸이 있고 아들도 있다"),
        ("아내분 일하세요?", "아뇨 저만요", "제 아내는 일하지 않고 저만 일한다"),
        ("고기 드세요?", "생선만요", "저는 생선만 먹는다"),
        ("고기 드세요?", "남편만요", "제 남편만 고기를 먹는다"),
        ("부모님 살아계세요?", "어머니만요", "제 어머니만 살아있다"),
    ],
)
def test_who_or_what_is_named_stands_for_what_was_asked(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아내분 일하세요?", "네 학교에서요", "제 아내는 학교에서 일한다"),
        ("남동생 군대 갔어요?", "네", "제 남동생은 군대에 갔다"),
        ("어머니 편찮으세요?", "네 허리가요", "제 어머니는 허리가 아프다"),
        ("부모님 모시세요?", "네", "저는 부모님을 모신다"),
        ("남편 만났어요?", "네", "저는 남편을 만났다"),
        ("아이 키우세요?", "네 둘이요", "저는 아이를 둘 키운다"),
    ],
)
def test_a_person_without_a_particle_does_it_or_is_whom_it_is_done_to(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("담배 피우세요?", "예전에는요", "저는 예전에는 담배를 피웠다"),
        ("담배 피우세요?", "젊을 때는요", "저는 젊을 때는 담배를 피웠다"),
        ("담배 피우세요?", "피웠었어요", "저는 담배를 피웠다"),
        ("학생이세요?", "예전에는요", "저는 예전에는 학생이었다"),
        ("결혼하셨어요?", "했었죠", None),
        ("술 드세요?", "가끔요", "저는 술을 가끔 마신다"),
    ],
)
def test_what_was_is_told_as_past(asked: str, said: str, told: str | None) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아이가 학교 좋아해요?", "네 좋아해요", "제 아이가 학교를 좋아한다"),
        ("아이가 학교 좋아해요?", "안 좋아해요", "제 아이가 학교를 좋아하지 않는다"),
        ("남편분 담배 피우세요?", "안 피워요", "제 남편은 담배를 피우지 않는다"),
        ("혼자 사세요?", "네 혼자 살아요", "저는 혼자 산다"),
        ("고기 드세요?", "네 먹어요 가끔", "저는 고기를 가끔 먹는다"),
        ("커피 드세요?", "네 마셔요", "저는 커피를 마신다"),
        ("고양이 있으세요?", "없어요", "저는 고양이가 없다"),
        ("결혼하셨어요?", "아직 안 했어요", None),
        ("고기 드세요?", "아뇨 먹어요", None),
    ],
)
def test_the_verb_again_is_a_yes_or_a_no(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told
