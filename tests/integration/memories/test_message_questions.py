"""What a wish may mean of what was said, and is no memory, is asked about as well."""

from datetime import timedelta

import pytest

from gieok import Gieok, Scope, Turn
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

WEIGHT = "요즘 몸무게가 82킬로까지 늘었어"
DIET = "다이어트 식단 좀 짜 줘"
ASKED = "'요즘 몸무게가 82킬로까지 늘었어', 이 말씀을 잊을까요?"
WISH = "그 얘기는 잊어 줘"
MOST_READINGS = 9


class Doubt:
    """A model that finds nothing known meant, and is so sure of what was said."""

    def __init__(self, confidence: float, *words: str, wish: str = WISH) -> None:
        self.confidence = confidence
        self.words = words
        self.wish = wish

    def __call__(self, conversation: Conversation) -> list[Finding]:
        (*_, last) = conversation.messages
        wishes = [m for m in conversation.messages if m.content == self.wish]
        found = [
            _wish(item.content, self.confidence, last.index, item.id)
            for item in conversation.known
            if wishes and any(word in item.content for word in self.words)
        ]
        if wishes and not found:
            found.append(_wish(self.wish, 1.0, wishes[-1].index, None))
        return found


def _wish(content: str, confidence: float, index: int, target: str | None) -> Finding:
    return Finding(
        FindingOperation.DELETE,
        content,
        Category.CONTEXT,
        confidence,
        Basis.REQUESTED,
        (index,),
        target,
    )


async def say(memory: Gieok, me: Scope, *words: str) -> None:
    """Say things by turns, the person first, and let them be read."""
    session = await memory.sessions.start(me)
    for user, assistant in zip(words[::2], words[1::2], strict=True):
        await memory.sessions.record(me, session.session_id, Turn(user, assistant))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)


async def wish_for(
    memory: Gieok, me: Scope, script: Script, doubt: Doubt, *said: str
) -> None:
    """Say something that becomes no memory, and wish it forgotten a session later."""
    await say(memory, me, *(said or (WEIGHT, "그러셨군요.", DIET, "네, 짜 볼게요.")))
    await wish_again(memory, me, script, doubt)


async def wish_again(memory: Gieok, me: Scope, script: Script, doubt: Doubt) -> None:
    """Wish it; the model reads the wish, then what was said, however often."""
    script.answers.extend([doubt] * MOST_READINGS)
    await say(memory, me, WISH, "알겠어요.")
    script.answers.clear()


async def find_words(memory: Gieok, me: Scope, word: str) -> list[str]:
    """Return what is found of a word."""
    hits = await memory.recall.search(me, word, limit=50)
    return [hit.content for hit in hits if word in hit.content]


@pytest.mark.req("A15")
async def test_a_yes_has_it_never_found_again(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    assert await find_words(memory, me, "몸무게") == [WEIGHT], "nothing is sure"
    block = await memory.context.build(me, "오늘 뭐 하지?", language="ko")
    (question,) = block.questions
    assert question.content == WEIGHT
    assert question.memory_id is None
    assert WEIGHT in block.text.split("사용자에게 확인할 것")[1]
    script.computes(lambda _: [])
    await say(memory, me, "안녕", ASKED, "네, 그거 맞아요", "지웠어요.")
    assert await find_words(memory, me, "몸무게") == []
    assert await find_words(memory, me, "식단") == [DIET], "the rest stays"
    assert await memory.memories.questions(me) == ()
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A15")
async def test_a_no_keeps_it_and_it_may_be_quoted(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    script.computes(lambda _: [])
    await say(memory, me, "안녕", ASKED, "아니요, 그건 놔두세요", "네.")
    assert WEIGHT in await find_words(memory, me, "몸무게")
    assert await memory.memories.questions(me) == ()
    block = await memory.context.build(me, "몸무게가 얼마였지?", language="ko")
    assert [each.message_id for each in block.excerpts], "it is quoted again"


@pytest.mark.req("A15")
async def test_what_was_learned_of_it_alone_goes_too(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 82킬로이다"))
    await wish_for(memory, me, script, Doubt(0.3, "늘었어"))
    assert await list_contents(memory, me) == ["사용자는 82킬로이다"]
    (question,) = await memory.memories.questions(me)
    assert await memory.memories.confirm(me, question.candidate_id) is None
    await memory.settled(me)
    assert await list_contents(memory, me) == []
    assert await find_words(memory, me, "82킬로") == []
    assert await memory.erasure.receipts(me), "the memory has its receipt"


@pytest.mark.req("A15")
@pytest.mark.parametrize(("confidence", "asked"), [(0.05, 0), (0.15, 1), (0.6, 0)])
async def test_only_what_is_likely_is_asked_about(
    memory: Gieok, me: Scope, script: Script, confidence: float, asked: int
) -> None:
    await wish_for(memory, me, script, Doubt(confidence, "몸무게"))
    assert len(await memory.memories.questions(me)) == asked
    gone = await find_words(memory, me, "몸무게") == []
    assert gone == (confidence > 0.5), "what is sure is gone at once"


@pytest.mark.req("A15")
async def test_at_most_three_things_are_asked_about_and_what_repeats_one_goes_with_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    said = ["몸무게 재 봤어", "몸무게 걱정이야", "몸무게 목표 정했어", "몸무게 얘기 또"]
    talk = [*said, said[0]]
    turns = [part for each in talk for part in (each, "네.")]
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"), *turns)
    questions = await memory.memories.questions(me)
    assert len(questions) == 3
    assert len({question.content for question in questions}) == 3
    for question in questions:
        await memory.memories.confirm(me, question.candidate_id)
    left = await find_words(memory, me, "몸무게")
    assert len({*left}) == 1, "the fourth thing"


@pytest.mark.req("A15")
async def test_a_wish_that_is_repeated_asks_once_more_not_twice(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    await say(memory, me, "안녕", ASKED, "배고프다", "뭐 드실래요?")
    assert await memory.memories.questions(me) == (), "it was asked"
    clock.advance(timedelta(days=20))
    await wish_again(memory, me, script, Doubt(0.3, "몸무게"))
    (question,) = await memory.memories.questions(me)
    assert question.wished_at == clock()
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert waiting.candidate_id == question.candidate_id


@pytest.mark.req("A15")
async def test_whoever_asks_by_a_call_is_told_what_is_unsure(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await say(memory, me, WEIGHT, "그러셨군요.")
    script.answers.extend([Doubt(0.3, "몸무게")] * MOST_READINGS)
    answer = await memory.erasure.about(me, WISH)
    (unsure,) = answer.unsure
    assert (unsure.content, unsure.target_id) == (WEIGHT, None)
    assert answer.messages == 0
    assert unsure.candidate_id is not None
    await memory.memories.confirm(me, unsure.candidate_id)
    assert await find_words(memory, me, "몸무게") == []


@pytest.mark.req("A15")
async def test_nothing_is_asked_of_what_is_gone(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    sessions = [hit.session_id for hit in await memory.recall.search(me, "몸무게")]
    (candidate,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    (session_id,) = candidate.session_ids
    assert session_id in sessions
    await memory.erasure.session(me, session_id)
    assert await memory.memories.questions(me) == ()
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A15", "A20")
async def test_a_question_quotes_nothing_that_is_no_longer_kept(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    clock.advance(timedelta(days=memory.retention.messages.days + 1))
    await memory.retention.expire(me)
    assert await memory.memories.candidates(me) == ()
