"""What a wish may mean is asked about in conversation, once, and the answer counts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from gieok import Gieok, Scope, Turn
from gieok.context import BlockOutcome
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)
from gieok.memories import CandidateStatus
from gieok.testing import FixedClock
from support.memory_talk import list_contents
from support.scripted_model import Script, fact

BANK = "사용자는 은행에서 일한다"
SCHOOL = "사용자는 초등학교에서 일했다"
ASKED = "'사용자는 은행에서 일한다', 이걸 잊을까요?"


def doubting(*words: str) -> "Doubt":
    return Doubt(words)


class Doubt:
    """A model that is not sure which of the things that hold a word is meant."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def __call__(self, conversation: Conversation) -> list[Finding]:
        return [
            Finding(
                FindingOperation.DELETE,
                item.content,
                Category.CONTEXT,
                0.4,
                Basis.REQUESTED,
                (0,),
                item.id,
            )
            for item in conversation.known
            if any(word in item.content for word in self.words)
        ]


async def wish_for(memory: Gieok, me: Scope, script: Script, *words: str) -> None:
    """Know two jobs, and wish one of them forgotten without saying which."""
    await memory.memories.remember(me, BANK)
    await memory.memories.remember(me, SCHOOL)
    script.computes(doubting(*words))
    await say(memory, me, "그 일 얘기는 잊어 줘", "알겠어요.")


async def say(memory: Gieok, me: Scope, *words: str) -> None:
    """Say things by turns, the person first, and let them be read."""
    session = await memory.sessions.start(me)
    for user, assistant in zip(words[::2], words[1::2], strict=True):
        turn = Turn(user, assistant)
        await memory.sessions.record(me, session.session_id, turn)
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)


@pytest.mark.req("A15", "A14")
async def test_the_block_says_what_to_ask_and_a_yes_erases_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    block = await memory.context.build(me, "오늘 뭐 하지?", language="ko")
    (question,) = block.questions
    assert question.content == BANK
    assert "사용자에게 확인할 것" in block.text
    assert await memory.memories.questions(me) == block.questions
    script.computes(lambda talk: [fact("네", evidence=(talk.messages[-2].index,))])
    await say(memory, me, "안녕", ASKED, "네, 그거 맞아요", "지웠어요.")
    assert await list_contents(memory, me) == [SCHOOL]
    hits = await memory.recall.search(me, "은행", limit=50)
    assert [hit.content for hit in hits if "은행" in hit.content] == []
    assert (await memory.context.build(me, "오늘 뭐 하지?")).questions == ()
    assert await memory.erasure.receipts(me), "a yes is receipted like any wish"


@pytest.mark.req("A15")
async def test_what_is_asked_about_is_not_told_beside(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    block = await memory.context.build(me, "나에 대해 아는 거 다 말해줘")
    assert block.text.count(BANK) == 1
    assert [SCHOOL in line.text for line in block.lines] == [True]
    explained = await memory.context.explain(me, "나에 대해 아는 거 다 말해줘")
    assert {each.outcome for each in explained.memories} == {BlockOutcome.SHOWN}
    tight = await memory.context.build(me, "은행", token_budget=110)
    assert tight.questions == ()
    assert BANK in tight.text, "where the question finds no room it is told"


@pytest.mark.req("A15")
async def test_a_no_keeps_it_and_it_may_still_be_said_again(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    await say(memory, me, "안녕", ASKED, "아니 그건 놔둬", "네.")
    assert await list_contents(memory, me) == [BANK, SCHOOL]
    assert await memory.memories.questions(me) == ()
    (known,) = [m for m in (await memory.memories.page(me))[0] if m.content == BANK]
    script.computes(lambda _: [fact(BANK)])
    await say(memory, me, "나 은행에서 일해", "그렇군요.")
    again = await memory.memories.get(me, known.memory_id)
    assert again.usage_count > known.usage_count, "what was kept is reinforced"


@pytest.mark.req("A15")
async def test_the_one_that_is_named_goes_and_the_other_is_not_asked_about_again(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행", "초등학교")
    assert len(await memory.memories.questions(me)) == 2
    asked = f"{BANK}, {SCHOOL}, 이 중 무엇을 지울까요?"
    await say(memory, me, "안녕", asked, "은행에서 일한다는 거요", "지웠어요.")
    assert await list_contents(memory, me) == [SCHOOL]
    assert await memory.memories.questions(me) == ()
    pending = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert pending == ()


@pytest.mark.req("A15")
@pytest.mark.parametrize("answer", ["네", "둘 다", "응 싹 다 지워줘"])
async def test_who_agrees_has_all_erased_that_was_asked_about(
    memory: Gieok, me: Scope, script: Script, answer: str
) -> None:
    await wish_for(memory, me, script, "은행", "초등학교")
    asked = "은행에서 일하신다는 것과 초등학교에서 일하셨다는 것을 지울까요?"
    await say(memory, me, "안녕", asked, answer, "지웠어요.")
    assert await list_contents(memory, me) == []
    assert await memory.memories.questions(me) == ()


@pytest.mark.req("A15")
async def test_what_nobody_asked_about_waits_for_its_question(
    memory: Gieok, me: Scope, script: Script
) -> None:
    more = ("사용자는 병원에서 일했다", "사용자는 도서관에서 일했다")
    for content in more:
        await memory.memories.remember(me, content)
    await wish_for(memory, me, script, "은행", "초등학교", "병원", "도서관")
    (first, *_) = await memory.memories.questions(me)
    asked = f"'{first.content}', 이걸 지울까요?"
    await say(memory, me, "안녕", asked, "네, 다 지워요", "지웠어요.")
    left = sorted({BANK, SCHOOL, *more} - {first.content})
    assert await list_contents(memory, me) == left
    open_ = [question.content for question in await memory.memories.questions(me)]
    assert sorted(open_) == left


@pytest.mark.req("A15")
async def test_of_two_wishes_read_together_each_has_its_own_answer(
    memory: Gieok, me: Scope, script: Script
) -> None:
    hobbies = ("사용자는 피아노를 친다", "사용자는 첼로를 켠다")
    for content in (BANK, SCHOOL, *hobbies):
        await memory.memories.remember(me, content)

    def doubt_twice(talk: Conversation) -> list[Finding]:
        jobs, played = doubting("은행", "초등학교"), doubting("피아노", "첼로")
        later = talk.messages[2].index
        return [*jobs(talk), *(replace(f, evidence=(later,)) for f in played(talk))]

    script.computes(doubt_twice)
    wishes = ("그 일 얘기는 잊어 줘", "알겠어요.", "그 악기 얘기도", "네.")
    await say(memory, me, *wishes)
    first = {question.content for question in await memory.memories.questions(me)}
    assert first in ({BANK, SCHOOL}, {*hobbies})
    asked = f"{BANK}, {SCHOOL}, 이 중 무엇을 지울까요?"
    await say(memory, me, "안녕", asked, "은행에서 일한다는 거요", "지웠어요.")
    assert await list_contents(memory, me) == sorted([SCHOOL, *hobbies])
    left = {question.content for question in await memory.memories.questions(me)}
    assert left == {*hobbies}, "they were not answered"


@pytest.mark.req("A15")
async def test_a_wish_that_leans_on_an_earlier_message_is_one_wish(
    memory: Gieok, me: Scope, script: Script
) -> None:
    for content in (BANK, SCHOOL):
        await memory.memories.remember(me, content)

    def doubt(talk: Conversation) -> list[Finding]:
        earlier, wish = talk.messages[0].index, talk.messages[2].index
        one, other = doubting("은행", "초등학교")(talk)
        return [
            replace(one, evidence=(wish,)),
            replace(other, evidence=(earlier, wish)),
        ]

    script.computes(doubt)
    await say(memory, me, "일이 지겹네요", "그러시군요.", "그 얘기는 잊어 줘", "네.")
    asked = {question.content for question in await memory.memories.questions(me)}
    assert asked == {BANK, SCHOOL}


@pytest.mark.req("A15")
async def test_a_question_is_asked_once_and_stays_open_for_an_answer(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    await say(memory, me, "안녕", ASKED, "배고프다", "뭐 드실래요?")
    assert await memory.memories.questions(me) == (), "it was asked"
    assert await list_contents(memory, me) == [BANK, SCHOOL]
    await say(memory, me, "안녕", ASKED, "네", "지웠어요.")
    assert await list_contents(memory, me) == [SCHOOL]


@pytest.mark.req("A15")
async def test_a_wish_that_is_repeated_is_asked_about_again(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, "은행")
    await say(memory, me, "안녕", ASKED, "배고프다", "뭐 드실래요?")
    clock.advance(timedelta(days=30))
    assert await memory.memories.questions(me) == ()
    script.computes(doubting("은행", "초등학교"))
    await say(memory, me, "그 일 얘기는 잊으라니까", "알겠어요.")
    questions = await memory.memories.questions(me)
    assert {question.content for question in questions} == {BANK, SCHOOL}
    assert {question.wished_at for question in questions} == {clock()}
    asked = f"{BANK}, {SCHOOL}, 이 중 무엇을 지울까요?"
    await say(memory, me, "안녕", asked, "은행에서 일한다는 거요", "지웠어요.")
    assert await list_contents(memory, me) == [SCHOOL]


@pytest.mark.req("A15")
async def test_a_wish_that_arrives_late_asks_nothing_again(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, "은행")
    await say(memory, me, "안녕", ASKED, "배고프다", "뭐 드실래요?")
    script.computes(doubting("은행"))
    session = await memory.sessions.start(me)
    late = Turn("그 일 얘기는 잊어 줘", "네.", told_at=clock() - timedelta(days=1))
    await memory.sessions.record(me, session.session_id, late)
    await memory.settled(me)
    assert await memory.memories.questions(me) == ()


@pytest.mark.req("A15")
async def test_nobody_is_asked_about_an_old_wish_or_in_the_plain_form(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, "은행")
    assert (await memory.context.build(me, "안녕?", excerpts=0)).questions == ()
    clock.advance(timedelta(days=15))
    assert await memory.memories.questions(me) == ()
    await say(memory, me, "안녕", ASKED, "네", "그래요.")
    assert await list_contents(memory, me) == [BANK, SCHOOL]


@pytest.mark.req("A15", "E20")
async def test_nobody_elses_yes_counts(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    await say(memory, other, "안녕", ASKED, "네", "지웠어요.")
    assert await list_contents(memory, me) == [BANK, SCHOOL]


@pytest.mark.req("D04")
async def test_nothing_is_asked_while_memory_is_off(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, "은행")
    await memory.settings.update(me, {"is_enabled": False})
    assert not await memory.context.build(me, "안녕?")


@pytest.mark.req("A15")
async def test_what_was_said_after_a_yes_stays_though_it_is_read_with_it(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, "은행")
    session = await memory.sessions.start(me)
    for said, answer in (
        ("안녕", ASKED),
        ("네, 그거 맞아요", "지웠어요."),
        ("오늘 은행에서 일한 친구를 만났어", "좋았겠네요."),
    ):
        await memory.sessions.record(me, session.session_id, Turn(said, answer))
        clock.advance(timedelta(minutes=1))
    await memory.sessions.close(me, session.session_id)
    script.says()
    script.computes(doubting("은행"))
    script.computes(
        lambda talk: [replace(f, confidence=0.9) for f in doubting("은행")(talk)]
    )
    await memory.settled(me)
    hits = await memory.recall.search(me, "은행", limit=50)
    assert [hit.content for hit in hits if "친구" in hit.content]
