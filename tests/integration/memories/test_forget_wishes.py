"""A wish to forget erases what it names, what was said of it, and asks when unsure."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.memories import CandidateStatus, QuarantineReason, all_known
from gieok.memories.all_known import extract_findings, split_known
from gieok.memories.claims import MemoryEdit
from gieok.models import prompt_trimming
from gieok.models.rules import extractor
from gieok.testing import FixedClock, ScriptedModel
from support.database import Owner
from support.memory_talk import list_contents, list_memories, record_turns, talk
from support.scripted_model import Script, fact
from support.session_talk import announced

JOB = "사용자는 간호사이다"
HOME = "사용자는 마포구에 거주"


def wish(
    about: str, target: str | None = None, *, sure: bool = True, evidence: int = 0
) -> Finding:
    return Finding(
        FindingOperation.DELETE,
        about,
        Category.CONTEXT,
        0.9 if sure else 0.4,
        Basis.REQUESTED,
        (evidence,),
        target,
    )


async def bring_back_messages(owner: Owner, me: Scope) -> None:
    """Have all messages readable again, as a backup from before has them."""
    restored = b"UPDATE session_messages SET forgotten_at = NULL WHERE user_id = %s"
    await owner.execute(restored, [me.user_id])


def forgetting(word: str, *, sure: bool = True) -> "Reader":
    return Reader(word, sure=sure)


class Reader:
    """A model that takes a wish to be about whatever holds a word."""

    def __init__(self, word: str, *, sure: bool = True) -> None:
        self.word, self.sure = word, sure

    def __call__(self, conversation: Conversation) -> Iterator[Finding]:
        wished = next(m for m in conversation.messages if "잊어" in m.content)
        known = [k for k in conversation.known if self.word in k.content]
        for item in known:
            yield wish(item.content, item.id, sure=self.sure, evidence=wished.index)
        if self.sure:
            yield wish(wished.content, evidence=wished.index)


def weigh(asked: Conversation, sure: dict[str, float]) -> Iterable[Finding]:
    """Yield how sure a wish means what holds each word."""
    for item in asked.known:
        for word, confidence in sure.items():
            if word in item.content:
                said = asked.messages[-1].index
                about = wish(item.content, item.id, evidence=said)
                yield replace(about, confidence=confidence)


async def tell(memory: Gieok, me: Scope, *texts: str) -> UUID:
    return await talk(memory, me, *texts, answer="그렇군요.", close=True)


async def read_wishes(
    memory: Gieok, me: Scope, script: Script, said: dict[str, Finding]
) -> list[str]:
    """Have messages read with what is found in each; return what is to be searched."""
    session_id = await record_turns(memory, me, *said)
    script.says(
        *(
            replace(found, evidence=(2 * place,))
            for place, found in enumerate(said.values())
        )
    )
    await memory.memories.extract(me, session_id)
    return [each.claim for each in await memory.memories.open_wishes(me)]


async def known_id(memory: Gieok, me: Scope, content: str) -> str:
    found, _ = await memory.memories.page(me, include_inactive=True)
    return next(str(each.memory_id) for each in found if each.content == content)


async def findable(memory: Gieok, me: Scope, word: str) -> list[str]:
    hits = await memory.recall.search(me, word, limit=50)
    return [hit.content for hit in hits if word in hit.content]


def both() -> Iterable[Finding]:
    return fact(JOB), fact(HOME, evidence=(2,))


@pytest.mark.req("A15", "D12")
async def test_what_is_erased_is_named_and_nothing_else_goes(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(*both())
    await tell(memory, me, "나 간호사야", "마포구 살아")
    script.computes(forgetting("간호사"))
    script.computes(forgetting("간호사"))
    forgotten = await memory.erasure.about(me, "내 직업은 잊어 줘")
    assert forgotten.memories == (JOB,)
    assert forgotten.unsure == ()
    assert set(await list_contents(memory, me)) == {HOME}
    assert await findable(memory, me, "간호사") == []
    assert await findable(memory, me, "마포구")


@pytest.mark.req("A15", "D12")
async def test_what_says_again_what_is_erased_goes_and_says_on_what_else_it_says(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(
        fact("사용자의 조카는 난독증"),
        fact("사용자는 “조카는 난독증. 양초를 만들어”라고 말했다"),
        fact(JOB),
    )
    await tell(memory, me, "조카는 난독증. 양초를 만들어. 나 간호사야")
    script.computes(forgetting("사용자의 조카"))
    script.computes(forgetting("사용자의 조카"))
    await memory.erasure.about(me, "조카 난독증은 잊어 줘")
    kept = "사용자는 “양초를 만들어”라고 말했다"
    assert set(await list_contents(memory, me, include_inactive=True)) == {JOB, kept}
    await memory.settled(me)
    assert await findable(memory, me, "난독증") == []


@pytest.mark.req("A15", "D12")
async def test_what_says_it_again_out_of_use_goes_with_what_a_wish_erases(
    memory: Gieok, me: Scope, script: Script
) -> None:
    ward, kin = "사용자는 마포 병원 간호사이다", "사용자의 동생은 병원 간호사이다"
    for told in (ward, kin):
        kept = await memory.memories.remember(me, told)
        await memory.memories.deactivate(me, kept.memory_id)
    await memory.memories.remember(me, "사용자는 병원 간호사이다")
    script.computes(forgetting("간호사"))
    forgotten = await memory.erasure.about(me, "내 직업은 잊어 줘")
    assert {*forgotten.memories} == {"사용자는 병원 간호사이다", ward}
    assert await list_contents(memory, me, include_inactive=True) == [kin]
    assert len(await memory.erasure.receipts(me)) == 2


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize("spoken", [False, True])
async def test_a_wish_reaches_what_is_out_of_use_where_it_names_nothing_else(
    memory: Gieok, me: Scope, script: Script, *, spoken: bool
) -> None:
    kept = await memory.memories.remember(me, JOB)
    await memory.memories.deactivate(me, kept.memory_id)
    await memory.memories.remember(me, HOME)
    for _ in range(4):
        script.computes(forgetting("간호사"))
    if spoken:
        await talk(memory, me, "내 직업은 잊어 줘")
    else:
        forgotten = await memory.erasure.about(me, "내 직업은 잊어 줘")
        assert forgotten.memories == (JOB,)
    assert await list_contents(memory, me, include_inactive=True) == [HOME]


@pytest.mark.req("A15")
async def test_what_is_put_back_in_use_meanwhile_stays(
    memory: Gieok, me: Scope, script: Script
) -> None:
    kept = await memory.memories.remember(me, JOB)
    await memory.memories.deactivate(me, kept.memory_id)
    script.computes(lambda _: [wish("내 직업은 잊어 줘")])
    await memory.memories.forget_about(me, "내 직업은 잊어 줘")
    (open_,) = await memory.memories.open_wishes(me)
    await memory.memories.reactivate(me, kept.memory_id)
    settled = await memory.memories.fulfil_wish(
        me, open_.candidate_id, [], inactive=[kept.memory_id]
    )
    assert settled == ()
    assert await list_contents(memory, me) == [JOB]


@pytest.mark.req("A15", "E19")
async def test_what_was_only_said_stays_forgotten_after_a_restore(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, owner: Owner
) -> None:
    script.says()
    await tell(memory, me, "나 간호사야", "마포구 살아")
    clock.advance(timedelta(minutes=1))
    script.computes(forgetting("간호사"))
    script.computes(forgetting("간호사"))
    assert (await memory.erasure.about(me, "내 직업은 잊어 줘")).messages
    await bring_back_messages(owner, me)
    clock.advance(timedelta(minutes=1))
    assert await memory.erasure.replay() > 0
    assert await memory.erasure.replay() == 0
    await memory.settled(me)
    assert await findable(memory, me, "간호사") == []
    assert await findable(memory, me, "마포구")


@pytest.mark.req("A15", "E19")
async def test_a_forgotten_memory_is_not_learned_again_after_a_restore(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, owner: Owner
) -> None:
    script.says(fact(JOB), fact(HOME))
    session_id = await tell(memory, me, "간호사고 마포구 살아")
    job = next(each for each in await list_memories(memory, me) if each.content == JOB)
    await memory.memories.forget(me, job.memory_id)
    await bring_back_messages(owner, me)
    clock.advance(timedelta(minutes=1))
    assert await memory.erasure.replay() == 1
    assert await memory.erasure.replay() == 0
    assert await list_contents(memory, me) == [HOME], "what else came of it stays"
    await owner.execute(
        "DELETE FROM session_progress WHERE session_id = %s", [session_id]
    )
    script.says(fact(JOB))
    await memory.memories.extract(me, session_id)
    assert await list_contents(memory, me) == [HOME]


@pytest.mark.req("A15", "E19")
async def test_the_words_of_a_wish_stay_hidden_after_a_restore(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, owner: Owner
) -> None:
    script.computes(lambda _: [wish("간호사")])
    await tell(memory, me, "간호사 얘기는 잊어 줘")
    assert await findable(memory, me, "간호사") == []
    await bring_back_messages(owner, me)
    clock.advance(timedelta(minutes=1))
    assert await memory.erasure.replay() == 1
    await memory.settled(me)
    assert await findable(memory, me, "간호사") == []


@pytest.mark.req("A15")
async def test_an_export_that_waits_goes_with_what_a_wish_names(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, JOB)
    archive = await memory.portability.prepare(me)
    script.computes(forgetting("간호사"))
    assert (await memory.erasure.about(me, "내 직업은 잊어 줘")).memories == (JOB,)
    with pytest.raises(NotFoundError):
        await anext(memory.portability.fetch(me, archive.token))


@pytest.mark.req("A15")
async def test_the_bare_thing_is_read_as_a_wish(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, JOB)
    script.says()  # "내 직업" alone asks for nothing
    script.computes(forgetting("간호사"))
    script.computes(lambda _: ())
    forgotten = await memory.erasure.about(me, "내 직업")
    assert forgotten.memories == (JOB,)


@pytest.mark.req("A15", "A20")
async def test_what_was_only_said_is_gone_from_search_and_summaries(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.computes(lambda _: [wish("쏘나타 얘기는 잊어 줘", evidence=4)])
    script.computes(forgetting("쏘나타"))
    await tell(
        memory, me, "저는 쏘나타를 타요", "오늘 비가 오네요", "쏘나타 얘기는 잊어 줘"
    )
    assert await findable(memory, me, "쏘나타") == []
    assert await findable(memory, me, "비가")
    (session,), _ = await memory.sessions.page(me)
    summary = await memory.summaries.session(me, session.session_id)
    assert "쏘나타" not in str(summary)
    assert await memory.memories.open_wishes(me) == ()


@pytest.mark.req("A15", "A20")
async def test_a_reply_that_repeats_what_is_forgotten_goes_with_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.computes(lambda _: [wish("그 차 얘기는 잊어 줘", evidence=4)])
    script.computes(forgetting("타요"))
    session = await memory.sessions.start(me)
    for said, reply in (
        ("저는 쏘나타를 타요", "쏘나타 멋지죠"),
        ("오늘 비가 오네요", "쏘나타 세차는 미루세요"),
        ("그 차 얘기는 잊어 줘", "알겠어요"),
    ):
        await memory.sessions.record(me, session.session_id, Turn(said, reply))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    assert await findable(memory, me, "쏘나타") == ["쏘나타 세차는 미루세요"]


@pytest.mark.req("A15", "A20")
async def test_the_whole_message_is_the_wish_and_its_session_is_read_by_itself(
    memory: Gieok, me: Scope, script: Script
) -> None:
    read: list[tuple[str, set[str]]] = []

    def ponder(talked: Conversation) -> list[Finding]:
        read.append(
            (talked.messages[-1].content, {item.content for item in talked.known})
        )
        sonata = [item for item in talked.known if "쏘나타" in item.content]
        place = talked.messages[-1].index
        # Too unsure for anything but what was just said.
        return [
            replace(wish("차", item.id, evidence=place), confidence=0.16)
            for item in sonata
        ]

    script.says()
    await tell(memory, me, "작년엔 모닝을 탔어요")
    script.computes(lambda _: [wish("지워 줘", evidence=4)])
    script.computes(ponder)
    asked = "그 차 얘기는 좀 그렇네요. 지워 줘"
    await tell(memory, me, "저는 쏘나타를 타요", "오늘 비가 오네요", asked)
    ((text, known),) = read
    assert text == asked
    assert "저는 쏘나타를 타요" in known
    assert "작년엔 모닝을 탔어요" not in known, "it does not compete"
    assert await findable(memory, me, "쏘나타") == []
    assert await findable(memory, me, "모닝")


@pytest.mark.req("A15")
async def test_said_in_an_earlier_session_it_is_found_too(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says()
    await tell(memory, me, "저는 쏘나타를 타요")
    script.computes(lambda _: [wish("쏘나타 얘기는 잊어 줘")])
    script.computes(forgetting("쏘나타"))
    await tell(memory, me, "쏘나타 얘기는 잊어 줘")
    assert await findable(memory, me, "쏘나타") == []


@pytest.mark.req("A15")
async def test_what_was_just_said_is_meant_where_the_words_leave_a_doubt(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says()
    await tell(memory, me, "쏘나타를 팔까 해요")
    script.computes(lambda _: [wish("그 차 얘기는 잊어 줘", evidence=2)])
    script.computes(forgetting("쏘나타", sure=False))
    await tell(memory, me, "저는 쏘나타를 타요", "그 차 얘기는 잊어 줘")
    assert await findable(memory, me, "쏘나타") == ["쏘나타를 팔까 해요"]


@pytest.mark.req("A15")
async def test_the_message_of_a_wish_goes_with_it_and_is_compared_with_nothing(
    memory: Gieok, me: Scope, script: Script
) -> None:
    """Its own words are nearest to it, and would be all that it means."""
    compared: list[str] = []

    def listen(asked: Conversation) -> Iterable[Finding]:
        compared.extend(item.content for item in asked.known)
        return forgetting("쏘나타")(asked)

    script.computes(lambda _: [wish("그 차 얘기는 잊어 줘", evidence=2)])
    script.computes(listen)
    await tell(memory, me, "저는 쏘나타를 타요", "그 차 얘기는 잊어 줘")
    assert "저는 쏘나타를 타요" in compared
    assert "그 차 얘기는 잊어 줘" not in compared
    assert await findable(memory, me, "쏘나타") == []
    assert await findable(memory, me, "그 차 얘기") == []


@pytest.mark.req("A15")
async def test_the_reply_that_agrees_to_forget_is_compared_with_nothing(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    """It names the thing, and would be what the wish means before anything said."""
    compared: list[str] = []

    def listen(asked: Conversation) -> Iterable[Finding]:
        compared.extend(item.content for item in asked.known)
        return forgetting("쏘나타")(asked)

    said, agreed = "저는 쏘나타를 타요", "네, 쏘나타 이야기는 잊을게요."
    script.says()
    await talk(memory, me, said, answer="멋진 차네요.", close=True)
    clock.advance(timedelta(days=2))
    script.computes(lambda _: [wish("전에 말한 차는 잊어 줘")])
    script.computes(listen)
    await talk(memory, me, "전에 말한 차는 잊어 줘", answer=agreed, close=True)
    assert {said, "멋진 차네요."} <= {*compared}
    assert agreed not in compared
    assert said not in await findable(memory, me, "쏘나타")


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("sure", "gone"),
    [
        ({"쏘나타": 0.3, "세차": 0.12}, {"쏘나타", "세차"}),
        ({"쏘나타": 0.3, "세차": 0.1}, {"쏘나타"}),
        ({"쏘나타": 0.05, "세차": 0.01}, {"쏘나타"}),
        ({"쏘나타": 0.04, "세차": 0.01}, set()),
    ],
)
async def test_of_what_was_just_said_goes_what_is_possibly_meant(
    memory: Gieok, me: Scope, script: Script, sure: dict[str, float], gone: set[str]
) -> None:
    """And what is meant most likely, if it is meant at all."""
    script.computes(lambda _: [wish("그 얘기는 잊어 줘", evidence=4)])
    script.computes(partial(weigh, sure=sure))
    await tell(
        memory, me, "저는 쏘나타를 타요", "주말엔 세차를 해요", "그 얘기는 잊어 줘"
    )
    left = {word for word in sure if await findable(memory, me, word)}
    assert set(sure) - left == gone


@pytest.mark.req("A15")
@pytest.mark.parametrize("earlier", [0.4, 0.2, 0.05])
async def test_nothing_just_said_goes_where_something_earlier_is_likelier_meant(
    memory: Gieok, me: Scope, script: Script, earlier: float
) -> None:
    """ "Forget about Ines being a nurse" erased "moved in with Ines!!"."""
    sure = {"간호사": earlier, "이사": 0.15}
    script.says()
    await tell(memory, me, "민지는 간호사야")
    script.computes(lambda _: [wish("민지가 뭐 하는지는 잊어 줘", evidence=2)])
    for _ in ("this session", "the turn before", "everything"):
        script.computes(partial(weigh, sure=sure))
    await tell(memory, me, "민지랑 이사했어", "민지가 뭐 하는지는 잊어 줘")
    kept = await findable(memory, me, "이사")
    assert bool(kept) == (earlier > sure["이사"])
    assert await findable(memory, me, "간호사")
    if kept:
        [asked] = await memory.memories.questions(me)
        assert "간호사" in asked.content


@pytest.mark.req("A15")
@pytest.mark.parametrize("earlier", [0.4, 0.05])
async def test_nothing_just_said_goes_where_words_that_are_gone_are_likelier_meant(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, earlier: float
) -> None:
    """Of those only a summary is left."""
    sure = {"간호사": earlier, "이사": 0.15}
    script.says()
    await tell(memory, me, "민지는 간호사야")
    clock.advance(timedelta(days=40))
    assert await memory.retention.expire(me)
    script.computes(lambda _: [wish("민지가 뭐 하는지는 잊어 줘", evidence=2)])
    for _ in ("this session", "the turn before", "everything", "words gone", "again"):
        script.computes(partial(weigh, sure=sure))
    await tell(memory, me, "민지랑 이사했어", "민지가 뭐 하는지는 잊어 줘")
    assert bool(await findable(memory, me, "이사")) == (earlier > sure["이사"])
    assert await findable(memory, me, "간호사")


@pytest.mark.req("A15")
async def test_a_wish_is_read_with_the_turn_to_which_it_may_point(
    memory: Gieok, me: Scope, script: Script
) -> None:
    read: list[list[str]] = []

    def point(asked: Conversation) -> Iterable[Finding]:
        read.append([message.content for message in asked.messages])
        (*before, wished) = asked.messages
        for item in asked.known:
            if before and item.content == before[0].content:
                yield wish(item.content, item.id, evidence=wished.index)

    script.computes(lambda _: [wish("방금 말한 거 잊어 줘", evidence=4)])
    script.computes(point)
    script.computes(point)
    said = ("저는 쏘나타를 타요", "빚이 조금 있어요", "방금 말한 거 잊어 줘")
    await tell(memory, me, *said, "주말엔 세차를 해요")
    assert ["빚이 조금 있어요", "그렇군요.", "방금 말한 거 잊어 줘"] in read
    assert await findable(memory, me, "빚") == []
    assert await findable(memory, me, "쏘나타") == ["저는 쏘나타를 타요"]
    assert await findable(memory, me, "세차") == ["주말엔 세차를 해요"]


@pytest.mark.req("A15")
async def test_what_holds_the_words_of_a_short_wish_is_not_its_message(
    memory: Gieok, me: Scope, script: Script
) -> None:
    video = "동영상 일은 잊어 줘 하고 동생이 졸랐어"
    script.says()
    await tell(memory, me, video)
    script.computes(lambda _: [wish("잊어 줘", evidence=2)])
    script.computes(forgetting("쏘나타"))
    await tell(memory, me, "저는 쏘나타를 타요", "잊어 줘")
    assert await findable(memory, me, "쏘나타") == []
    assert await findable(memory, me, "동영상") == [video]


@pytest.mark.req("A15", "A07")
async def test_what_may_be_meant_waits_and_is_erased_when_confirmed(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, JOB)
    script.computes(forgetting("간호사", sure=False))
    forgotten = await memory.erasure.about(me, "그 얘기는 잊어 줘")
    assert forgotten.memories == ()
    (asked,) = forgotten.unsure
    assert asked.content == JOB
    assert set(await list_contents(memory, me)) == {JOB}
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert waiting.held_reason is QuarantineReason.AMBIGUOUS
    assert await memory.memories.confirm(me, waiting.candidate_id) is None
    assert set(await list_contents(memory, me)) == set()


async def test_a_wish_about_nothing_known_erases_nothing(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, HOME)
    script.says()
    script.says()
    script.says()
    forgotten = await memory.erasure.about(me, "내 오토바이")
    assert (forgotten.memories, forgotten.unsure) == ((), ())
    assert set(await list_contents(memory, me)) == {HOME}


async def test_a_wish_survives_a_model_that_is_away(
    memory: Gieok, me: Scope, script: Script
) -> None:
    def away(_: Conversation) -> Iterable[Finding]:
        what = "the model"
        raise ModelUnavailableError(what, "it is away")

    script.computes(lambda _: [wish("쏘나타 얘기는 잊어 줘", evidence=2)])
    script.computes(away)
    with pytest.raises(ModelUnavailableError):
        await tell(memory, me, "저는 쏘나타를 타요", "쏘나타 얘기는 잊어 줘")
    assert len(await memory.memories.open_wishes(me)) == 1
    script.computes(forgetting("쏘나타"))
    assert await memory.erasure.erase_forgotten(me) >= 1
    assert await findable(memory, me, "쏘나타") == []
    assert await memory.erasure.erase_forgotten(me) == 0


async def ask_while_off(memory: Gieok, me: Scope, script: Script, owner: Owner) -> None:
    """Ask to forget the job, told in two sessions, and let its job find memory off."""
    script.says(*both())
    await tell(memory, me, "나 간호사야", "마포구 살아")
    script.says()
    await tell(memory, me, "간호사 일이 고되네")
    await memory.settings.update(me, {"is_enabled": False})
    script.computes(forgetting("간호사"))
    forgotten = await memory.erasure.about(me, "내 직업은 잊어 줘")
    assert (forgotten.memories, forgotten.messages) == ((JOB,), 0)
    await owner.execute(
        "DELETE FROM procrastinate_jobs WHERE args->>'user_id' = %s",
        [str(me.user_id)],
    )


@pytest.mark.req("A15")
@pytest.mark.parametrize("by_consent", [False, True])
async def test_a_wish_while_memory_is_off_is_carried_out_once_it_is_on_again(
    memory: Gieok, me: Scope, script: Script, owner: Owner, *, by_consent: bool
) -> None:
    await ask_while_off(memory, me, script, owner)
    if by_consent:
        await memory.settings.consent(me, {"profile": False})
        await memory.settings.update(me, {"is_enabled": True})
        await memory.maintenance.erase_withdrawn(me)
        assert await memory.erasure.erase_forgotten(me) == 0
        await owner.execute(
            "DELETE FROM procrastinate_jobs WHERE args->>'user_id' = %s",
            [str(me.user_id)],
        )
        await memory.settings.consent(me, {"profile": True})
    else:
        await memory.settings.update(me, {"is_enabled": True})
    assert await announced(owner, "forgetting_requested", me.user_id) == 1
    script.computes(forgetting("간호사"))
    await memory.erasure.erase_forgotten(me)
    assert await findable(memory, me, "간호사") == []
    assert bool(await findable(memory, me, "마포구")) is not by_consent


@pytest.mark.req("A15")
async def test_a_wish_erases_what_no_search_finds_as_memory_was_off(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    session_id = await record_turns(memory, me, "나 간호사야", "마포구 살아")
    await memory.settings.update(me, {"is_enabled": False})
    script.computes(forgetting("간호사"))
    await memory.erasure.about(me, "내 직업은 잊어 줘")
    clock.advance(timedelta(minutes=1))
    await memory.sessions.record(me, session_id, Turn("간호사 친구가 있어", "네."))
    await memory.settings.update(me, {"is_enabled": True})
    script.computes(forgetting("간호사"))
    assert await memory.erasure.erase_forgotten(me) == 1
    hidden = await owner.execute(
        "SELECT position FROM session_messages"
        " WHERE user_id = %s AND forgotten_at IS NOT NULL",
        (me.user_id,),
    )
    assert await hidden.fetchall() == [(0,)], "what was said after the wish stays"


@pytest.mark.req("A15", "A20")
async def test_a_wish_that_waits_outlasts_other_candidates_and_all_memories(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    await ask_while_off(memory, me, script, owner)
    clock.advance(timedelta(days=100))
    await owner.execute("DELETE FROM agenda WHERE user_id = %s", [me.user_id])
    await memory.retention.expire(me)
    assert await memory.retention.expire(me) == 0
    found = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = 'retention_ended'",
        [me.user_id],
    )
    assert all(due > clock() + timedelta(days=1) for (due,) in await found.fetchall())
    (wish,) = await memory.memories.open_wishes(me)
    assert JOB in wish.claim
    await memory.memories.forget_all(me)
    (kept,) = await memory.memories.open_wishes(me)
    assert kept.claim == wish.claim.split("\n")[0], "no memory is kept in a wish"
    await memory.settings.update(me, {"is_enabled": True})
    script.computes(forgetting("간호사"))
    await memory.settled(me)
    assert await memory.memories.open_wishes(me) == ()


@pytest.mark.parametrize("wished", ["", "   ", "가" * 4_000])
async def test_a_wish_needs_words(memory: Gieok, me: Scope, wished: str) -> None:
    with pytest.raises(InvalidInputError):
        await memory.erasure.about(me, wished)


async def test_nobody_forgets_for_somebody_else(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    await memory.memories.remember(other, JOB)
    script.computes(forgetting("간호사"))
    script.computes(forgetting("간호사"))
    await memory.erasure.about(me, "내 직업은 잊어 줘")
    assert set(await list_contents(memory, other)) == {JOB}


@pytest.mark.req("A15")
async def test_what_stays_does_not_quote_a_message_that_a_wish_took(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(HOME))
    await tell(memory, me, "저는 간호사고 마포 살아요")
    script.says(fact(HOME))
    await tell(memory, me, "마포 산다니까요")
    script.computes(lambda _: [wish("직업 얘기는 잊어 줘")])
    script.computes(forgetting("간호사"))
    await tell(memory, me, "직업 얘기는 잊어 줘")
    ((kept,), _) = await memory.memories.page(me)
    assert (kept.content, kept.preview) == (HOME, None)
    assert len(kept.source_message_ids) == 1


@pytest.mark.req("A15")
async def test_what_is_learned_from_the_very_words_of_a_wish_does_not_undo_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    job = await memory.memories.remember(me, JOB)
    script.says(wish(JOB, str(job.memory_id)), fact(JOB), fact(HOME))
    await tell(memory, me, "간호사인 건 잊어줘, 마포 사는 건 기억하고")
    ((kept,), _) = await memory.memories.page(me, include_inactive=True)
    assert (kept.content, kept.preview) == (HOME, None)


@pytest.mark.req("A15")
async def test_each_of_several_wishes_is_searched_by_its_own_words(
    memory: Gieok, me: Scope, script: Script
) -> None:
    job = await memory.memories.remember(me, JOB)
    home = await memory.memories.remember(me, HOME)
    wished = await read_wishes(
        memory,
        me,
        script,
        {
            "직업 잊어줘": wish(JOB, str(job.memory_id)),
            "주소 잊어줘": wish(HOME, str(home.memory_id)),
            "쏘나타도 잊어줘": wish("쏘나타"),
        },
    )
    assert sorted(wished) == sorted(
        [f"직업 잊어줘\n{JOB}", f"주소 잊어줘\n{HOME}", "쏘나타도 잊어줘"]
    )
    assert await list_contents(memory, me) == []


@pytest.mark.req("A15")
async def test_a_wish_at_the_end_of_a_long_message_is_searched_as_a_whole(
    memory: Gieok, me: Scope, script: Script
) -> None:
    job = await memory.memories.remember(me, JOB)
    said = "오늘은 하루 종일 바빴어요. " * 10 + "그리고 직업은 잊어줘"
    wished = await read_wishes(
        memory, me, script, {said: wish(JOB, str(job.memory_id))}
    )
    assert wished == [f"{said}\n{JOB}"]


@pytest.mark.req("A15")
async def test_one_sentence_that_names_several_things_is_searched_once(
    memory: Gieok, me: Scope, script: Script
) -> None:
    job = await memory.memories.remember(me, JOB)
    home = await memory.memories.remember(me, HOME)
    session_id = await record_turns(memory, me, "직업이랑 주소 잊어줘")
    script.says(wish(JOB, str(job.memory_id)), wish(HOME, str(home.memory_id)))
    await memory.memories.extract(me, session_id)
    (wished,) = await memory.memories.open_wishes(me)
    assert wished.claim == f"직업이랑 주소 잊어줘\n{JOB}\n{HOME}"


@pytest.mark.req("A15")
async def test_what_was_denied_before_a_wish_is_no_wish(
    memory: Gieok, me: Scope, script: Script
) -> None:
    shrimp = "사용자는 새우 알레르기가 있음"
    script.says(fact(shrimp), fact(JOB, evidence=(2,)))
    await tell(memory, me, "새우 알레르기가 있어요", "간호사예요")
    denial = replace(
        wish(shrimp, await known_id(memory, me, shrimp)), basis=Basis.STATED
    )
    wished = await read_wishes(
        memory,
        me,
        script,
        {
            "새우 알레르기 아니래": denial,
            "직업 잊어줘": wish(JOB, await known_id(memory, me, JOB)),
        },
    )
    assert wished == [f"직업 잊어줘\n{JOB}"]
    assert await list_contents(memory, me, include_inactive=True) == [shrimp]
    await memory.settled(me)
    assert await findable(memory, me, "새우 알레르기 아니래")


@pytest.mark.req("A15")
async def test_a_wish_repeated_is_searched_by_both_wordings(
    memory: Gieok, me: Scope, script: Script
) -> None:
    job = await memory.memories.remember(me, JOB)
    wished = await read_wishes(
        memory,
        me,
        script,
        {
            "직업 잊어줘": wish(JOB, str(job.memory_id)),
            "간호사인 거 지우라니까": wish(JOB, str(job.memory_id)),
        },
    )
    assert sorted(wished) == sorted([f"직업 잊어줘\n{JOB}", "간호사인 거 지우라니까"])
    assert await findable(memory, me, "간호사") == []
    await memory.erasure.attest(me)
    assert len(await memory.erasure.receipts(me)) == 1


@pytest.mark.req("A15", "D12")
async def test_what_was_replaced_just_before_is_forgotten_all_the_same(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(HOME))
    await tell(memory, me, "마포구 살아요")
    home = await known_id(memory, me, HOME)
    moved = replace(
        fact("사용자는 부산에 거주"), operation=FindingOperation.UPDATE, target=home
    )
    wished = await read_wishes(
        memory,
        me,
        script,
        {"부산으로 이사했어": moved, "마포는 잊어줘": wish(HOME, home)},
    )
    assert wished == [f"마포는 잊어줘\n{HOME}"]
    assert await list_contents(memory, me, include_inactive=True) == [
        "사용자는 부산에 거주"
    ]


class NearsightedModel(ScriptedModel):
    """One that compares the newest memories only, as every model does."""

    def __init__(self) -> None:
        super().__init__(self.find_wishes)

    def find_wishes(self, conversation: Conversation) -> Iterator[Finding]:
        wished = [m.index for m in conversation.messages if "잊어" in m.content]
        known = conversation.known[-MAX_SEEN:]
        meant = [item for item in known if "간호사" in item.content]
        for index in wished:
            for item in meant:
                sure = len(meant) == 1
                yield wish(item.content, item.id, sure=sure, evidence=index)
            yield wish("직업은 잊어 줘", evidence=index)


MAX_SEEN, OTHERS = 200, 205


@pytest.fixture
async def forgetful(memory: Gieok, me: Scope, clock: FixedClock) -> Gieok:
    """Somebody of whom more is known than a model compares; their job is the oldest."""
    await memory.settings.update(me, {"max_memories": OTHERS + 10})
    await memory.memories.remember(me, JOB)
    clock.advance(timedelta(minutes=1))
    others = (f"사용자는 {number}번을 좋아함" for number in range(OTHERS))
    edits = [MemoryEdit(content, Category.CONTEXT) for content in others]
    await memory.memories.apply_edits(me, edits)
    clock.advance(timedelta(minutes=1))
    return replace(memory, memories=replace(memory.memories, model=NearsightedModel()))


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize("way", ["spoken", "called"])
async def test_a_wish_finds_the_oldest_of_many_memories(
    forgetful: Gieok, me: Scope, way: str
) -> None:
    memories = forgetful.memories
    if way == "spoken":
        session_id = await record_turns(forgetful, me, "내 직업은 잊어 줘")
        await memories.extract(me, session_id)
    else:
        await memories.forget_about(me, "내 직업은 잊어 줘")
    left, count = await memories.page(me, limit=1_000)
    assert count == len(left) == OTHERS
    assert JOB not in {each.content for each in left}
    model = memories.model
    assert isinstance(model, NearsightedModel)
    assert len(model.calls) == 2, "once for each 200"


@pytest.mark.req("A15", "D12")
async def test_old_and_new_memories_compete_for_a_wish(
    forgetful: Gieok, me: Scope
) -> None:
    memories, newer = forgetful.memories, "사용자는 간호사로 다시 일함"
    await memories.remember(me, newer)
    outcomes = await memories.forget_about(me, "내 직업은 잊어 줘")
    assert {(o.content, o.confirmed) for o in outcomes if o.target_id} == {
        (JOB, False),
        (newer, False),
    }
    assert (await memories.page(me))[1] == OTHERS + 2, "nothing is erased"


async def test_what_is_no_wish_is_read_once_however_much_is_known(
    forgetful: Gieok, me: Scope
) -> None:
    session_id = await record_turns(forgetful, me, "나 오늘 산책했어")
    await forgetful.memories.extract(me, session_id)
    model = forgetful.memories.model
    assert isinstance(model, NearsightedModel)
    assert len(model.calls) == 1


async def test_a_wish_may_mean_more_memories_than_are_compared_at_once() -> None:
    known = tuple(
        KnownMemory(str(number), f"사용자는 간호사 {number}", Category.CONTEXT)
        for number in range(2 * MAX_SEEN + 1)
    )
    said = (Utterance(0, Role.USER, "내 직업은 잊어 줘"),)
    model, now = NearsightedModel(), datetime(2026, 4, 7, 20, 0, tzinfo=UTC)
    found = await extract_findings(model, Conversation(said, known, now))
    assert {f.target for f in found} == {None, *(item.id for item in known)}
    assert len(model.calls) == 3


def test_long_memories_are_compared_in_smaller_parts() -> None:
    known = tuple(
        KnownMemory(str(number), "가" * 4_000, Category.CONTEXT) for number in range(20)
    )
    newest, *older = split_known(known)
    assert newest[-1] is known[-1]
    assert [len(part) for part in (newest, *older)] == [12, 8]
    assert (*older[0], *newest) == known
    assert split_known(()) == [()]


def test_every_model_compares_a_whole_part() -> None:
    compared = (extractor.MAX_KNOWN, prompt_trimming.MAX_KNOWN)
    assert min(compared) >= all_known.MAX_KNOWN
    assert prompt_trimming.MAX_KNOWN_TEXT >= all_known.MAX_KNOWN_TEXT


@pytest.mark.req("A15")
async def test_what_was_said_after_a_wish_stays_though_it_is_read_with_it(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    moved = "사용자는 부산에 거주"
    session = await memory.sessions.start(me)
    for said in ("저는 마포구 살아요", "어디 사는지는 잊어 줘", "이제 부산 살아요"):
        await memory.sessions.record(me, session.session_id, Turn(said, "네."))
        clock.advance(timedelta(minutes=1))
    script.says(
        fact(HOME),
        wish("어디 사는지는 잊어 줘", evidence=2),
        fact(moved, evidence=(4,)),
    )
    script.computes(forgetting("살아"))
    script.computes(forgetting("살아"))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    assert await findable(memory, me, "마포") == []
    assert set(await findable(memory, me, "부산")) == {"이제 부산 살아요", moved}
    assert await list_contents(memory, me) == [moved]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("wished", "left"),
    [
        ("민수 얘기는 잊어 줘", {"누나는 걔 좋대"}),
        ("민수 생일은 잊어 줘", {"걔 야간에 일해", "누나는 걔 좋대"}),
    ],
)
async def test_who_is_forgotten_is_so_in_what_was_said_of_them_next(
    memory: Gieok, me: Scope, script: Script, wished: str, left: set[str]
) -> None:
    script.says()
    await tell(memory, me, "민수 얘기야", "걔 야간에 일해", "누나는 걔 좋대")
    script.computes(lambda _: [wish(wished)])
    script.computes(forgetting("민수"))
    await tell(memory, me, wished)
    assert {*await findable(memory, me, "걔")} == left
