"""Keys and sealed values: what is changed, moved or foreign does not open."""

import asyncio
import errno
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok import Config, Gieok, Scope, Turn, open_memory
from gieok.kernel.errors import KeyFileError, TamperedError
from gieok.privacy import FileKeyProvider, PersonKey, Place
from gieok.privacy.key_file import create_file, replace_file
from support.database import Owner
from support.fake_parts import PARTS

HERE = Place("user_memories", "content")
ROW = UUID(int=1)
KEY = PersonKey(UUID(int=7), 0, bytes(32))
OPENERS = """
import sys
from pathlib import Path
from gieok.privacy import FileKeyProvider
print(FileKeyProvider.open(Path(sys.argv[1]), create=True).wrapping_key.hex())
"""


@pytest.mark.req("D16")
@given(st.text(), st.integers(0, 2**32 - 1))
def test_a_text_comes_back_from_its_place_only(text: str, revision: int) -> None:
    sealed = KEY.seal_text(HERE, ROW, text, revision=revision)
    assert KEY.open_text(HERE, ROW, sealed, revision=revision) == text
    assert KEY.seal_text(HERE, ROW, text, revision=revision) != sealed, "a new nonce"


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    assert KEY.open(HERE, ROW, KEY.seal(HERE, ROW, data)) == data


@given(st.text(max_size=50))
def test_short_texts_look_equally_long(text: str) -> None:
    long = len(text.encode()) > 60
    assert (len(KEY.seal_text(HERE, ROW, text)) == 31 + 64) is not long


@pytest.mark.req("D16")
@settings(max_examples=30)
@given(st.text(max_size=20), st.integers(1, 255))
def test_every_changed_byte_is_noticed(text: str, change: int) -> None:
    sealed = KEY.seal_text(HERE, ROW, text)
    for place in range(len(sealed)):
        altered = bytearray(sealed)
        altered[place] ^= change
        with pytest.raises(TamperedError, match=r"user_memories\.content"):
            KEY.open_text(HERE, ROW, bytes(altered))


@given(st.integers(0, 94))
def test_a_cut_value_is_noticed(length: int) -> None:
    sealed = KEY.seal_text(HERE, ROW, "사용자는 강남구에 거주")
    with pytest.raises(TamperedError):
        KEY.open_text(HERE, ROW, sealed[:length])


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("key", "place", "row", "revision"),
    [
        (KEY, HERE, UUID(int=2), 3),
        (KEY, Place("user_memories", "value"), ROW, 3),
        (KEY, Place("memory_history", "content"), ROW, 3),
        (KEY, Place("user_memoriesc", "ontent"), ROW, 3),
        (KEY, HERE, ROW, 2),
        (PersonKey(UUID(int=8), 0, bytes(32)), HERE, ROW, 3),
        (PersonKey(UUID(int=7), 1, bytes(32)), HERE, ROW, 3),
        (PersonKey(UUID(int=7), 0, b"\x01" * 32), HERE, ROW, 3),
    ],
    ids=["row", "column", "table", "boundary", "revision", "person", "epoch", "key"],
)
def test_a_value_opens_nowhere_else(
    key: PersonKey, place: Place, row: UUID, revision: int
) -> None:
    sealed = KEY.seal_text(HERE, ROW, "사용자는 강남구에 거주", revision=3)
    with pytest.raises(TamperedError):
        key.open_text(place, row, sealed, revision=revision)


def test_equal_texts_meet_within_one_person_only() -> None:
    another = PersonKey(UUID(int=8), 0, b"\x01" * 32)
    assert KEY.compute_digest("a") == KEY.compute_digest("a") != KEY.compute_digest("b")
    assert KEY.compute_digest("a") != another.compute_digest("a")


async def said(memory: Gieok, scope: Scope) -> tuple[UUID, UUID]:
    session = await memory.sessions.start(scope)
    turn = Turn("나 강남구 살아", "네.")
    pair = await memory.sessions.record(scope, session.session_id, turn)
    return session.session_id, pair.user_message_id


@pytest.mark.req("D16")
@pytest.mark.parametrize("source", ["another message", "another person", "metadata"])
async def test_a_value_moved_within_the_database_does_not_open(
    memory: Gieok, me: Scope, other: Scope, owner: Owner, source: str
) -> None:
    session_id, first = await said(memory, me)
    before = (await memory.sessions.read(me, session_id)).messages
    giver = other if source == "another person" else me
    _, second = await said(memory, giver)
    column = "metadata" if source == "metadata" else "content"
    await owner.execute(
        f"""
        UPDATE session_messages SET {column} = (
            SELECT content FROM session_messages WHERE user_id = %s AND message_id = %s
        ) WHERE message_id = %s
        """,
        [giver.user_id, first if column == "metadata" else second, first],
    )
    left = (await memory.sessions.read(me, session_id)).messages
    assert left == tuple(each for each in before if each.message_id != first)
    assert (await memory.portability.unreadable(me))["session_messages"] == 1


@pytest.mark.req("D16")
async def test_an_older_revision_put_back_does_not_open(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    kept = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await owner.execute(
        "UPDATE user_memories SET revision = 2 WHERE memory_id = %s", [kept.memory_id]
    )
    with pytest.raises(TamperedError):
        await memory.memories.get(me, kept.memory_id)


async def opens(config: Config) -> None:
    async with open_memory(config, parts=PARTS, worker=False):
        pass


def foreign(path: Path) -> None:
    path.unlink()
    FileKeyProvider.open(path, create=True)


def edited(**fields: object) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return edit


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("damage", "advice"),
    [
        (foreign, "another installation, or was rotated"),
        (Path.unlink, "is missing, but sealed data exists. Put the file back"),
        (lambda path: path.chmod(0o644), "run `chmod 600 .*gieok.key`"),
        (lambda path: path.chmod(0o640), "run `chmod 600 .*gieok.key`"),
        (lambda path: path.write_text("{"), "Put a copy of the undamaged file back"),
        (lambda path: path.write_bytes(b"\xff\x00"), "undamaged file"),
        (lambda path: path.write_text("[]"), "undamaged file"),
        (edited(wrapping_key="c2hvcnQ="), "undamaged file"),
        (edited(naming_secret="ü"), "undamaged file"),
        (edited(token_secret=7), "undamaged file"),
        (edited(wrapping_key="A" * 43 + "="), "another installation"),
    ],
)
async def test_without_its_key_file_gieok_does_not_start_and_says_what_to_do(
    config: Config,
    address: str,
    tmp_path: Path,
    damage: Callable[[Path], object],
    advice: str,
) -> None:
    mine = replace(
        config,
        data=tmp_path,
        database_url=address,
        key_file=tmp_path / "gieok.key",
    )
    copied = tmp_path / "gieok.key"
    copied.write_bytes((config.data / "gieok.key").read_bytes())
    copied.chmod(0o600)
    await opens(mine)
    damage(copied)
    with pytest.raises(KeyFileError, match=advice):
        await opens(mine)


async def test_the_key_file_is_its_owners_alone_and_holds_three_secrets(
    tmp_path: Path,
) -> None:
    path = tmp_path / "new" / "gieok.key"
    made = FileKeyProvider.open(path, create=True)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path], "no draft is left"
    again = FileKeyProvider.open(path, create=False)
    assert again == made
    assert len({made.wrapping_key, made.naming_secret, made.token_secret}) == 3
    assert made.wrapping_key.hex() not in repr(made)
    assert await made.unwrap(await made.wrap(bytes(32))) == bytes(32)


async def _opener(path: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OPENERS, str(path), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return out


async def test_processes_that_make_the_key_at_once_agree(tmp_path: Path) -> None:
    async def rivals(path: Path) -> list[bytes]:
        openers: list[Awaitable[bytes]] = [_opener(path) for _ in range(3)]
        return await asyncio.gather(*openers)

    for name in ("first.key", "second.key"):
        assert len(set(await rivals(tmp_path / name))) == 1
    assert len(os.listdir(tmp_path)) == 2, "no drafts are left"  # noqa: PTH208


async def test_one_persons_first_key_is_made_once(memory: Gieok, me: Scope) -> None:
    keys = await asyncio.gather(
        *(memory.maintenance.vault.get_key(me) for _ in range(12))
    )
    memory.maintenance.vault.opened.pop(me.user_id)
    last = await memory.maintenance.vault.get_key(me)
    assert {key.compute_digest("같은 말") for key in keys} == {
        last.compute_digest("같은 말")
    }


def test_a_key_file_that_cannot_be_replaced_leaves_no_copy_of_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the file alone is mounted into a container."""
    path = tmp_path / "gieok.key"
    create_file(path, {"key": "old"})

    def refuse(_: Path, __: Path) -> Path:
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(KeyFileError, match="cannot be written"):
        replace_file(path, {"key": "new"})
    assert list(tmp_path.iterdir()) == [path]
    assert json.loads(path.read_text("utf-8")) == {"key": "old"}


def test_a_new_key_file_is_safe_on_the_disk_before_anything_is_sealed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name as well, which a power cut takes back unless its folder is written."""
    written: list[str] = []
    write = os.fsync

    def note(number: int) -> None:
        written.append(str(Path(f"/proc/self/fd/{number}").readlink()))
        write(number)

    monkeypatch.setattr(os, "fsync", note)
    path = tmp_path / "gieok.key"
    create_file(path, {"key": "old"})
    assert written[-1] == str(tmp_path)
    replace_file(path, {"key": "new"})
    assert len(written) == 4
    assert written[-1] == str(tmp_path)
