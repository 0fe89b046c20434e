"""With the shipped models: a wish to forget reaches what is not in use any more.

It erases there what it surely means, and nothing else: no other value of the same kind
unless the kind is named, nobody else's, nothing that only shares a word.
"""

from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Scope, Settings, open_memory
from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.memories import candidate_store
from gieok.memories.model import Claim, MemoryEdit
from support.memory_talk import list_contents, talk


@pytest.fixture(scope="module")
async def real(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Gieok]:
    allowed = Settings(allowed_categories=ALL_CATEGORIES)
    config = Config(data=tmp_path_factory.mktemp("real"), defaults=allowed)
    async with open_memory(config, worker=False) as opened:
        yield opened


class Case(NamedTuple):
    """A wish, what is known when it comes, and what of that goes."""

    wish: str
    in_use: Sequence[str] = ()
    aside: Sequence[str] = ()
    replaced: Sequence[str] = ()
    """Each took the place of the one before; the first of `in_use` that of the last."""
    waiting: Sequence[str] = ()
    gone: Sequence[str] = ()


BESIDE_EN = ("User is allergic to peanuts", "User plays the cello")
BESIDE_KO = ("사용자는 땅콩 알레르기가 있음", "사용자는 첼로를 배움")

BY_VALUE = [
    Case(
        "forget that I work at Monzo",
        in_use=["User works at Monzo", *BESIDE_EN],
        aside=["User works at Barclays"],
        gone=["User works at Monzo"],
    ),
    Case(
        "forget that I work at Monzo",
        in_use=["User works at Monzo", *BESIDE_EN],
        replaced=["User works at Barclays"],
        gone=["User works at Monzo"],
    ),
    Case(
        "forget that I worked at Barclays",
        in_use=["User works at Monzo", *BESIDE_EN],
        replaced=["User works at Barclays"],
        gone=["User works at Barclays"],
    ),
    Case(
        "forget that I work at Barclays",
        in_use=["User works at Monzo", *BESIDE_EN],
        aside=["User used to work at Barclays", "User plans to visit Leeds"],
        gone=["User used to work at Barclays"],
    ),
    Case(
        "forget that I work at Monzo",
        in_use=BESIDE_EN,
        waiting=["User works at Monzo", "User lives in Leeds"],
        gone=["User works at Monzo"],
    ),
    Case(
        "카카오 다니는 거 잊어줘",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        aside=["사용자는 삼성전자에서 일함"],
        gone=["사용자는 카카오에서 일함"],
    ),
    Case(
        "카카오에서 일하는 거 잊어줘",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        replaced=["사용자는 삼성전자에서 일함"],
        gone=["사용자는 카카오에서 일함"],
    ),
    Case(
        "삼성전자 다닌 거 잊어 주세요",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        aside=["사용자는 삼성전자에 다님", "사용자는 부산 여행을 계획함"],
        gone=["사용자는 삼성전자에 다님"],
    ),
    Case(
        "카카오 다니는 거 잊어줘",
        in_use=BESIDE_KO,
        waiting=["사용자는 카카오에서 일함", "사용자는 마포구에 거주"],
        gone=["사용자는 카카오에서 일함"],
    ),
]

BY_KIND = [
    Case(
        "forget where I work",
        in_use=["User works at Monzo", *BESIDE_EN],
        replaced=["User works at Tesco", "User works at Barclays"],
        gone=["User works at Monzo", "User works at Tesco", "User works at Barclays"],
    ),
    Case(
        "forget where I work",
        in_use=["User works at Monzo", *BESIDE_EN],
        aside=["User works at Barclays", "User plans to visit Leeds in May"],
        gone=["User works at Monzo", "User works at Barclays"],
    ),
    Case(
        "please forget my job",
        in_use=BESIDE_EN,
        aside=["User is a self-employed plumber", "User's friend Minsu is a baker"],
        gone=["User is a self-employed plumber"],
    ),
    Case(
        "forget where I live",
        in_use=["User lives in York", *BESIDE_EN],
        waiting=["User lives in Leeds", "User likes Leeds United"],
        gone=["User lives in York", "User lives in Leeds"],
    ),
    Case(
        "제 직업은 잊어 주세요",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        replaced=["사용자는 간호사이다"],
        gone=["사용자는 카카오에서 일함", "사용자는 간호사이다"],
    ),
    Case(
        "제 직업은 잊어 주세요",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        aside=["사용자는 간호사이다", "사용자는 부산 여행을 계획함"],
        gone=["사용자는 카카오에서 일함", "사용자는 간호사이다"],
    ),
    Case(
        "내가 어디 사는지 잊어줘",
        in_use=["사용자는 전주에 거주", *BESIDE_KO],
        aside=["사용자는 마포구에 살았음", "사용자의 엄마는 부산에 거주"],
        gone=["사용자는 전주에 거주", "사용자는 마포구에 살았음"],
    ),
    Case(
        "내 직업은 잊어줘",
        in_use=BESIDE_KO,
        waiting=["사용자는 간호사이다", "사용자의 언니는 은행에서 일함"],
        gone=["사용자는 간호사이다"],
    ),
]

OTHERS = [
    Case(
        "forget my sister's job",
        in_use=["User works at Monzo", *BESIDE_EN],
        aside=["User works at Barclays", "User's sister is a nurse"],
        gone=["User's sister is a nurse"],
    ),
    Case(
        "forget my sister's job",
        in_use=["User works at Monzo", *BESIDE_EN],
        aside=["User works at Barclays"],
    ),
    Case(
        "언니 직업은 잊어줘",
        in_use=["사용자는 카카오에서 일함", *BESIDE_KO],
        aside=["사용자는 간호사이다"],
        waiting=["사용자는 삼성전자에서 일함"],
    ),
]


async def know(memory: Gieok, me: Scope, case: Case) -> set[str]:
    """Make known what a case knows; return all of it."""
    for content in case.aside:
        kept = await memory.memories.remember(me, content)
        await memory.memories.deactivate(me, kept.memory_id)
    before = None
    for content in (*case.replaced, *case.in_use[: bool(case.replaced)]):
        said = (before,) if before else ()
        await memory.memories.apply_edits(
            me, [MemoryEdit(content, Category.CONTEXT, memory_ids=said)]
        )
        (found, *_), _ = await memory.memories.page(me)
        before = found.memory_id
    for content in case.in_use[bool(case.replaced) :]:
        await memory.memories.remember(me, content)
    await wait_to_confirm(memory, me, case.waiting)
    return {*case.in_use, *case.aside, *case.replaced, *case.waiting}


async def wait_to_confirm(memory: Gieok, me: Scope, contents: Sequence[str]) -> None:
    """Have candidates wait that nobody plainly said."""
    key = await memory.memories.vault.get_key(me)
    vectors = await memory.memories.consolidator.embed_texts(contents)
    async with memory.memories.database.begin(me) as tx:
        for content, vector in zip(contents, vectors, strict=True):
            claim = Claim(
                content=content,
                category=Category.CONTEXT,
                confidence=0.6,
                basis=Basis.OBSERVED,
                operation=FindingOperation.ADD,
                target_id=None,
                session_id=None,
                message_ids=(),
                preview=None,
                extractor="test",
                embedding=vector,
            )
            await candidate_store.insert_candidate(tx, key, claim, None)


async def list_kept(memory: Gieok, me: Scope) -> set[str]:
    """Return all memories, in use or not, and what waits to become one."""
    key = await memory.memories.vault.get_key(me)
    async with memory.memories.database.begin(me) as tx:
        waiting = await candidate_store.list_waiting_facts(tx, key, 100)
    kept = await list_contents(memory, me, include_inactive=True)
    return {*kept, *(candidate.claim for candidate, _ in waiting)}


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize("case", [*BY_VALUE, *BY_KIND, *OTHERS])
async def test_a_wish_erases_what_it_names_in_use_or_not(
    real: Gieok, case: Case, request: pytest.FixtureRequest
) -> None:
    me = real.person(request.node.name)
    known = await know(real, me, case)
    assert await list_kept(real, me) == known
    forgotten = await real.erasure.about(me, case.wish)
    assert known - await list_kept(real, me) == {*case.gone}
    assert {*forgotten.memories} >= {*case.gone} - {*case.replaced}
    assert {*forgotten.memories} <= {*case.gone}
    unused = {*case.aside, *case.replaced, *case.waiting}
    assert unused.isdisjoint(each.content for each in forgotten.unsure)


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize("case", [BY_VALUE[1], BY_VALUE[8], BY_KIND[0], BY_KIND[4]])
async def test_a_wish_in_a_conversation_does_the_same(
    real: Gieok, case: Case, request: pytest.FixtureRequest
) -> None:
    me = real.person(request.node.name)
    known = await know(real, me, case)
    await talk(real, me, case.wish, answer="네.", close=True)
    assert known - await list_kept(real, me) == {*case.gone}
