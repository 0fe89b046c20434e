"""What a log or a crash report prints of an open gieok holds no secret, no content."""

from gieok import Category, Gieok, Scope


async def test_repr_of_everything_is_harmless(memory: Gieok, me: Scope) -> None:
    await memory.memories.remember(me, "사용자는 등대지기", category=Category.CONTEXT)
    await memory.recall.search(me, "등대")
    printed = repr(memory)
    assert "등대지기" not in printed
    assert repr(memory.accounts.naming_secret) not in printed
