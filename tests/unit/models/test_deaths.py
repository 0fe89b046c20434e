"""Who died is told as dead, and nothing else ends."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
    Category,
    Conversation,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.changes.deaths import KnownBeing, find_deaths, read_being
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, tzinfo=UTC)


async def _hear(said: str, *known: str) -> dict[str, str]:
    """Return of what is known what a message updates or ends, and with what."""
    items = tuple(
        KnownMemory(str(place), content, Category.CONTEXT)
        for place, content in enumerate(known)
    )
    talk = (Utterance(0, Role.USER, said), Utterance(1, Role.ASSISTANT, "oh"))
    model = RulesModel(E5Embedder(), get_shared_morphology())
    found = await model.extract(Conversation(talk, items, AT))
    return {
        known[int(each.target)]: (
            each.content if each.operation is FindingOperation.UPDATE else "ended"
        )
        for each in found
        if each.target is not None and each.operation is not FindingOperation.REINFORCE
    }


@pytest.mark.parametrize(
    ("known", "said", "told"),
    [
        (
            "User's dog's name is Rex",
            "rex passed away last night",
            "The user's dog Rex died (2026-04-07)",
        ),
        (
            "The user has got a hamster called nugget",
            "nugget died :((",
            "The user's hamster Nugget died (2026-04-07)",
        ),
        (
            "The user's cat Biscuit is 7",
            "we lost Biscuit yesterday",
            "The user's cat Biscuit died (2026-04-06)",
        ),
        (
            "The user's cat Biscuit is 7",
            "biscuit had to be put to sleep on tuesday",
            "The user's cat Biscuit died (2026-03-31)",
        ),
        (
            "The user's nan Elsie is 90",
            "nan's passed away",
            "The user's nan Elsie died (2026-04-07)",
        ),
        (
            "사용자의 강아지 이름은 콩이이다",
            "우리 콩이 세상 떠났어요",
            "사용자의 강아지 콩이가 세상을 떠났다 (2026-04-07)",
        ),
        (
            "사용자의 할머니는 부산에 산다",
            "할머니가 어제 돌아가셨어",
            "사용자의 할머니가 세상을 떠났다 (2026-04-06)",
        ),
        (
            "사용자는 고양이 나비를 키운다",
            "나비가 죽었어 ㅠㅠ",
            "사용자의 고양이 나비가 세상을 떠났다 (2026-04-07)",
        ),
    ],
)
async def test_who_died_is_known_as_dead(known: str, said: str, told: str) -> None:
    assert await _hear(said, known) == {known: told}


GRANNY = "사용자의 할머니는 부산에 산다"
FATHER = "사용자의 아버지는 은행원이다"
MOTHER = "사용자의 엄마는 부산에 산다"
SON = "사용자의 아들은 대학생이다"
DOG = "사용자의 강아지 이름은 콩이이다"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (MOTHER, "엄마는 어제 대구로 돌아가셨어"),
        (MOTHER, "엄마가 집에 돌아가셨어"),
        (MOTHER, "엄마는 부산으로 다시 돌아가셨어"),
        (FATHER, "아버지를 미국으로 떠나보냈어"),
        (MOTHER, "엄마가 풀이 죽었어"),
        (SON, "아들 군대 떠나보냈어요"),
        (SON, "아들을 미국으로 떠나보냈어"),
        (SON, "아들을 떠나보냈어"),
        (SON, "아들 기죽었어"),
        (DOG, "콩이가 풀이 죽었어"),
    ],
)
def test_who_went_somewhere_or_is_dejected_is_alive(known: str, said: str) -> None:
    assert _list_dead(said, known) == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (MOTHER, "엄마가 암으로 돌아가셨어"),
        (MOTHER, "엄마가 사고로 돌아가셨어"),
        (MOTHER, "엄마가 3월에 돌아가셨어요"),
        (SON, "아들을 먼저 떠나보냈어"),
        (GRANNY, "할머니가 폐렴으로 돌아가셨어"),
        (GRANNY, "할머니가 뇌졸중으로 돌아가셨어"),
        (GRANNY, "할머니가 심근경색으로 돌아가셨어"),
        (GRANNY, "할머니가 당뇨로 돌아가셨어"),
        (GRANNY, "할머니가 독감으로 돌아가셨어"),
        (GRANNY, "할머니가 하늘나라로 돌아가셨어"),
        (GRANNY, "할머니를 암으로 떠나보냈어요"),
        (FATHER, "아버지를 떠나보냈습니다"),
        (SON, "아들을 암으로 떠나보냈어"),
        (DOG, "콩이를 떠나보냈어"),
    ],
)
def test_the_cause_or_the_day_of_a_death_is_no_destination(
    known: str, said: str
) -> None:
    assert _list_dead(said, known) == [known]


def _list_dead(said: str, known: str) -> list[str]:
    heard = [Utterance(0, Role.USER, said)]
    items = [KnownMemory("1", known, Category.CONTEXT)]
    candidates = collect_candidates(heard, get_shared_morphology())
    return [known for _ in find_deaths(candidates, items, AT.date())]


async def test_what_is_done_with_a_pet_ends_with_it() -> None:
    has, walks = "The user has a dog called Rex", "The user walks Rex every morning"
    assert await _hear("Rex passed away last night", has, walks) == {
        has: "The user's dog Rex died (2026-04-07)",
        walks: "ended",
    }


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (("The user's cat Biscuit is 7",), "my phone died"),
        (("The user's dad is 80",), "my friend's dad died"),
        (("The user's mum lives in York",), "my neighbour's cat died"),
        (("The user has a dog called Rex",), "i nearly died laughing at rex"),
        (("The user's son Tom is 5",), "tom died in minecraft again"),
        (("The user's dog Rex is 3", "The user's dog Bella is 5"), "the dog died"),
        (("사용자의 강아지 이름은 콩이이다",), "폰 배터리가 죽었어"),
        (("사용자의 아버지는 은행원이다",), "친구 아버지가 돌아가셨대"),
        (("사용자의 남편은 요리사이다",), "남편 때문에 웃겨 죽었어"),
    ],
)
async def test_nobody_else_dies(known: tuple[str, ...], said: str) -> None:
    assert await _hear(said, *known) == {}


@pytest.mark.parametrize(
    ("content", "being"),
    [
        ("The user's older sister Ann works at a bank", KnownBeing("sister", "Ann")),
        ("The user has a dog called Rex", KnownBeing("dog", "Rex")),
        ("Biscuit is 7", KnownBeing("", "Biscuit")),
        ("The user has got a hamster called nugget", KnownBeing("hamster", "nugget")),
        ("The user's dog is called rex", KnownBeing("dog", "rex")),
        ("The user's sister called the vet", KnownBeing("sister", "")),
        ("The user's wife named the boat", KnownBeing("wife", "")),
        ("사용자의 강아지 콩이는 말티즈이다", KnownBeing("강아지", "콩")),
        ("사용자의 아버지는 은행원이다", KnownBeing("아버지", "")),
        ("사용자는 햄스터를 키운다(이름 콩이)", KnownBeing("햄스터", "콩")),
        ("사용자는 콩이라는 햄스터를 키운다", KnownBeing("햄스터", "콩")),
        ("사용자는 강아지를 키우는데 이름은 두부이다", KnownBeing("강아지", "두부")),
        ("사용자는 친구가 고양이를 키운다고 했다(이름 나비)", None),
        ("The user is vegan", None),
        ("사용자는 서울에 산다", None),
    ],
)
def test_a_memory_says_of_whom_it_is(content: str, being: KnownBeing | None) -> None:
    assert read_being(content) == being
