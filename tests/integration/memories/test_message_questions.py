"""What a wish may mean of what was said, and is no memory, is asked about as well."""

from dataclasses import replace
from datetime import timedelta

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    Role,
)
from gieok.memories import CandidateStatus, PossibleMention
from gieok.testing import FixedClock
from support.database import Owner
from support.memory_talk import list_contents, list_memories
from support.scripted_model import Script, fact

WEIGHT = "요즘 몸무게가 82킬로까지 늘었어"
DIET = "다이어트 식단 좀 짜 줘"
ASKED = "'요즘 몸무게가 82킬로까지 늘었어', 이 말씀을 잊을까요?"
WISH = "그 얘기는 잊어 줘"
MAX_READINGS = 9
HIDDEN = (
    b"SELECT message_id FROM session_messages "
    b"WHERE user_id = %s AND forgotten_at IS NOT NULL ORDER BY message_id"
)


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
    script.answers.extend([doubt] * MAX_READINGS)
    await say(memory, me, WISH, "알겠어요.")
    script.answers.clear()


async def list_hidden(owner: Owner, me: Scope) -> list[tuple[object, ...]]:
    """Return which messages of the person are never read again."""
    found = await owner.execute(HIDDEN, [me.user_id])
    return [*await found.fetchall()]


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
    assert len(await memory.memories.questions(me)) == 1
    before = await memory.context.build(me, "몸무게가 얼마였지?", language="ko")
    assert before.excerpts == (), "nothing is quoted that may be unwanted"
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


@pytest.mark.req("A15", "E19")
async def test_what_was_confirmed_to_be_meant_stays_forgotten_after_a_restore(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "늘었어"))
    (question,) = await memory.memories.questions(me)
    await memory.memories.confirm(me, question.candidate_id)
    hidden = await list_hidden(owner, me)
    restored = b"UPDATE session_messages SET forgotten_at = NULL WHERE user_id = %s"
    await owner.execute(restored, [me.user_id])
    await memory.erasure.replay()
    assert await list_hidden(owner, me) == hidden


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
    script.answers.extend([Doubt(0.3, "몸무게")] * MAX_READINGS)
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
    (said,) = [h for h in await memory.recall.search(me, WEIGHT) if h.content == WEIGHT]
    assert len(await memory.memories.questions(me)) == 1
    assert said.session_id is not None
    await memory.erasure.session(me, said.session_id)
    assert await memory.memories.questions(me) == ()
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A15")
async def test_what_was_erased_since_it_was_found_is_not_asked_about(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await say(memory, me, WEIGHT, "그러셨군요.")
    (said,) = [h for h in await memory.recall.search(me, WEIGHT) if h.content == WEIGHT]
    script.says(_wish(WISH, 1.0, 0, None))
    await memory.memories.forget_about(me, WISH)
    (wish,) = await memory.memories.open_wishes(me)
    assert said.session_id is not None
    await memory.erasure.session(me, said.session_id)
    found = PossibleMention(WEIGHT, 0.3, (said.id,))
    assert await memory.memories.fulfil_wish(me, wish.candidate_id, [], [found]) == ()
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A15")
async def test_a_session_that_goes_takes_no_memory_of_another_along(
    memory: Gieok, me: Scope, script: Script
) -> None:
    """The same was said in two sessions, and a memory came from the second."""
    await say(memory, me, WEIGHT, "네.")
    (first,) = [
        h for h in await memory.recall.search(me, WEIGHT) if h.content == WEIGHT
    ]
    script.says(fact("사용자는 82킬로이다"))
    await say(memory, me, WEIGHT, "네.")
    await wish_again(memory, me, script, Doubt(0.3, "늘었어"))
    (candidate,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert len(candidate.message_ids) == 2, "both are asked about at once"
    assert first.session_id is not None
    await memory.erasure.session(me, first.session_id)
    assert await list_contents(memory, me) == ["사용자는 82킬로이다"]


@pytest.mark.req("A15", "A18")
async def test_what_said_the_same_and_is_out_of_use_goes_with_what_was_said(
    memory: Gieok, me: Scope, script: Script
) -> None:
    """Denied once, and said again in the message that is to be forgotten."""
    told = "사용자는 82킬로이다"
    denied = await memory.memories.remember(me, told)
    await memory.memories.deactivate(me, denied.memory_id)
    script.says(fact(told))
    await say(memory, me, WEIGHT, "네.")
    (again,) = await list_memories(memory, me)
    await wish_again(memory, me, script, Doubt(0.3, "늘었어"))
    (candidate,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert candidate.target_id is None
    await memory.memories.confirm(me, candidate.candidate_id)
    assert await list_memories(memory, me, include_inactive=True) == []
    assert await memory.memories.history(me, denied.memory_id) == ()
    await memory.settled(me)
    about = {each.about for each in await memory.erasure.receipts(me)}
    assert about == {again.memory_id, denied.memory_id}


@pytest.mark.req("A15")
async def test_what_says_more_does_not_go_with_what_it_repeats(
    memory: Gieok, me: Scope, script: Script
) -> None:
    more = "몸무게 걱정 때문만은 아니고 어머니가 수술을 받으셔서 병원에 다녀왔어"
    await wish_for(
        memory, me, script, Doubt(0.3, "몸무게 걱정"), "몸무게 걱정", "네.", more, "네."
    )
    questions = await memory.memories.questions(me)
    (question,) = [each for each in questions if each.content == "몸무게 걱정"]
    await memory.memories.confirm(me, question.candidate_id)
    assert await find_words(memory, me, "수술") == [more]


@pytest.mark.req("A15")
async def test_a_long_message_is_known_by_four_of_its_words(
    memory: Gieok, me: Scope, script: Script
) -> None:
    said = (
        "어제 회사 동료들이랑 회식하면서 삼겹살에 소주를 네 병이나 마셨는데 집에 와서 "
        "체중계에 올라가 보니까 몸무게가 82킬로까지 늘어 있어서 충격받았고 "
        "이제 저녁은 굶어야겠어"
    )
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"), said, "그러셨군요.")
    script.computes(lambda _: [])
    asked = "어제 동료들이랑 회식하고 몸무게가 82킬로까지 늘었다는 얘기, 잊을까요?"
    await say(memory, me, "안녕", asked, "네, 그거 맞아요", "지웠어요.")
    assert await find_words(memory, me, "체중계") == []


@pytest.mark.req("A15", "A14")
async def test_nobody_elses_words_are_asked_about(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session = await memory.sessions.start(me)
    turn = Turn(WEIGHT, "네.", speaker="민수")
    await memory.sessions.record(me, session.session_id, turn)
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    await wish_again(memory, me, script, Doubt(0.3, "몸무게"))
    assert await memory.memories.questions(me) == ()
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    (question,) = await memory.memories.questions(me)
    assert question.content == WEIGHT, "their own"


@pytest.mark.req("A14")
async def test_nothing_is_asked_while_memory_is_off(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    assert len(await memory.memories.questions(me)) == 1
    await memory.settings.update(me, {"is_enabled": False})
    assert await memory.memories.questions(me) == ()


@pytest.mark.req("A15")
async def test_a_yes_to_one_asks_about_no_other_anew(
    memory: Gieok, me: Scope, script: Script
) -> None:
    bank, school = "사용자는 은행에서 일한다", "나 퇴근하고 초등학교 들렀어"
    await say(memory, me, school, "네.")
    await memory.memories.remember(me, bank)

    def doubt(talk: Conversation) -> list[Finding]:
        index = [m for m in talk.messages if m.role is Role.USER][-1].index
        meant = {bank: 0.4, school: 0.3}
        return [
            _wish(item.content, meant[item.content], index, item.id)
            for item in talk.known
            if item.content in meant
        ]

    script.computes(lambda talk: [_wish(WISH, 1.0, 0, None), *doubt(talk)])
    script.answers.extend([doubt] * MAX_READINGS)
    await say(memory, me, WISH, "알겠어요.")
    questions = {each.content for each in await memory.memories.questions(me)}
    assert questions == {bank, school}
    script.answers.clear()
    script.computes(lambda _: [])
    script.answers.extend([doubt] * MAX_READINGS)
    asked = f"{bank}, {school}, 이 중 무엇을 잊을까요?"
    await say(memory, me, "안녕", asked, "은행에서 일한다는 거요", "네.")
    assert await list_contents(memory, me) == []
    assert await memory.memories.questions(me) == ()
    assert await find_words(memory, me, "초등학교 들렀어"), "it was not meant"


@pytest.mark.req("A15")
async def test_what_goes_with_what_is_confirmed_stops_no_reading(
    memory: Gieok, me: Scope, script: Script
) -> None:
    """What an earlier version of a memory came from is asked about beside it."""
    job, before = "사용자는 학교에 다닌다", "나 은행 다녀"
    script.says(fact("사용자는 은행에 다닌다"))
    await say(memory, me, before, "네.")

    def update(talk: Conversation) -> list[Finding]:
        index = [m for m in talk.messages if m.role is Role.USER][-1].index
        (known,) = talk.known
        told = fact(job, evidence=(index,))
        return [replace(told, operation=FindingOperation.UPDATE, target=known.id)]

    script.computes(update)
    await say(memory, me, "이제 은행 말고 학교 다녀", "네.")
    assert await list_contents(memory, me) == [job]

    def doubt(talk: Conversation) -> list[Finding]:
        return [
            _wish(WISH, 1.0, 0, None),
            *(_wish(item.content, 0.4, 0, item.id) for item in talk.known),
        ]

    script.computes(doubt)
    script.answers.extend([Doubt(0.3, before)] * MAX_READINGS)
    await say(memory, me, WISH, "알겠어요.")
    questions = {each.content for each in await memory.memories.questions(me)}
    assert questions == {job, before}
    script.answers.clear()
    asked = f"{job}, 이걸 잊을까요?"
    await say(memory, me, "안녕", asked, "네, 그거 맞아요", "네.")
    assert await list_contents(memory, me) == []
    assert await memory.memories.questions(me) == ()


@pytest.mark.req("A15", "A20")
async def test_a_question_quotes_nothing_that_is_no_longer_kept(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    assert len(await memory.memories.candidates(me)) == 1
    clock.advance(timedelta(days=memory.retention.messages.days + 1))
    await memory.retention.expire(me)
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A15", "A20")
async def test_nothing_is_kept_of_what_was_declined(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "몸무게"))
    (question,) = await memory.memories.questions(me)
    await memory.memories.reject(me, question.candidate_id)
    assert await memory.memories.candidates(me) == ()
    assert await find_words(memory, me, "몸무게") == [WEIGHT]


@pytest.mark.req("A15")
async def test_what_holds_no_word_goes_with_nothing_else(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await wish_for(memory, me, script, Doubt(0.3, "???"), "???", "네?", "!!!", "네.")
    (candidate,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert candidate.claim == "???"
    assert len(candidate.message_ids) == 1


@pytest.mark.req("A15")
async def test_an_old_question_about_a_memory_keeps_none_about_its_words_away(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    script.says(fact("사용자는 82킬로이다"))
    await say(memory, me, WEIGHT, "네.")
    script.computes(
        lambda talk: [_wish(item.content, 0.4, 0, item.id) for item in talk.known]
    )
    await say(memory, me, "그거 잊어 줘", "네.")
    (question,) = await memory.memories.questions(me)
    assert question.memory_id is not None
    clock.advance(timedelta(days=20))
    await wish_again(memory, me, script, Doubt(0.3, "늘었어"))
    (question,) = await memory.memories.questions(me)
    assert (question.content, question.memory_id) == (WEIGHT, None)
