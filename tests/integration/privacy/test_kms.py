"""A wrapping key in AWS KMS, as moto's server answers for it from another process."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from gieok import Config, Gieok, Turn, open_memory
from gieok.database.migrate import build_database_url, create_database
from gieok.kernel.errors import ConfigurationError, ConflictError, KeyFileError
from gieok.kernel.errors import UnavailableError as Unavailable
from gieok.opening import open_for_maintenance
from gieok.privacy import FileKeyProvider, Keyring, Keystore
from support.fake_parts import PARTS
from support.kms_server import Line, kms_process, line_to

boto3 = pytest.importorskip("boto3")
pytest.importorskip("moto.server")
aws = pytest.importorskip("gieok.privacy.aws")
FAKE = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
Opening = AbstractAsyncContextManager[Gieok]


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    with kms_process() as url:
        yield url


@pytest.fixture
def line(moto: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The configured way to KMS."""
    with line_to(moto) as line:
        for name, value in FAKE.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL_KMS", line.url)
        yield line


@pytest.fixture
def kms(line: Line) -> Any:
    return boto3.client("kms", endpoint_url=line.target)


@pytest.fixture
def key(kms: Any) -> str:
    alias = f"alias/gieok-{uuid4().hex}"
    kms.create_alias(AliasName=alias, TargetKeyId=new_key(kms))
    return alias


@pytest.fixture
def by_file(config: Config, address: str, tmp_path: Path) -> Config:
    """An installation of its own, with an empty keystore."""
    name = f"kms_{uuid4().hex}"
    create_database(address, name)
    return replace(
        config,
        data=tmp_path,
        database_url=address,
        keystore_url=build_database_url(address, name),
    )


@pytest.fixture
def by_kms(by_file: Config, key: str) -> Config:
    return replace(by_file, kms_key=key)


def opened(config: Config, *, leaving_kms: bool = False) -> Opening:
    if leaving_kms:
        return open_for_maintenance(config, parts=PARTS, leaving_kms=True)
    return open_memory(config, parts=PARTS, worker=False)


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = aws.Config(connect_timeout=1, retries={"total_max_attempts": 1})
    monkeypatch.setattr(aws, "PATIENCE", patience)


def new_key(kms: Any) -> str:
    return str(kms.create_key()["KeyMetadata"]["KeyId"])


async def remembered(memory: Gieok, name: str) -> list[str]:
    page, _ = await memory.memories.page(memory.person(name))
    return sorted(each.content for each in page)


async def providers(memory: Gieok) -> dict[str, int]:
    found = (await memory.keys.get_status()).wrappings
    return {each.provider: each.keys for each in found}


@pytest.mark.req("D16")
@pytest.mark.usefixtures("line")
async def test_what_kms_refuses_is_named(key: str) -> None:
    provider = await aws.AwsKeyProvider.connect(key)
    assert provider.key_id.startswith("arn:aws:kms:")
    wrapped = await provider.wrap(b"k" * 32)
    assert b"k" * 32 not in wrapped
    assert await provider.unwrap(wrapped) == b"k" * 32
    changed = bytes([*wrapped[:-1], wrapped[-1] ^ 1])
    with pytest.raises(KeyFileError, match="AWS KMS refuses"):
        await provider.unwrap(changed)
    with pytest.raises(KeyFileError, match="AWS KMS refuses"):
        await provider.unwrap(wrapped, "key-file")  # sealed for another purpose
    with pytest.raises(KeyFileError, match="NotFound") as refused:
        await aws.AwsKeyProvider.connect("alias/nobody")
    assert "거부합니다" in refused.value.message("ko")


@pytest.mark.req("D16")
async def test_a_stolen_key_file_opens_nothing(by_file: Config, by_kms: Config) -> None:
    async with opened(by_kms) as memory:
        await memory.memories.remember(memory.person("minji"), "사용자는 강남구에 거주")
        assert await providers(memory) == {"aws-kms": 1}
        status = await memory.keys.get_status()
        assert status.is_file_sealed
        assert status.wrapping_key.startswith("arn:aws:kms:")
    file = json.loads(by_kms.key_path.read_text())
    assert file.keys() == {"version", "kms", "sealed"}
    assert by_kms.key_path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(KeyFileError, match="set GIEOK_KMS_KEY=arn:aws:kms"):
        FileKeyProvider.open(by_kms.key_path, create=False)
    with pytest.raises(KeyFileError, match="Set GIEOK_KMS_KEY, or leave") as refused:
        async with opened(by_file):
            pass
    assert "GIEOK_KMS_KEY를 설정하거나" in refused.value.message("ko")
    async with opened(by_kms) as memory:
        assert await remembered(memory, "minji") == ["사용자는 강남구에 거주"]


@pytest.mark.req("D16")
async def test_keys_move_to_kms_while_people_are_served(
    by_file: Config, by_kms: Config
) -> None:
    async with opened(by_file) as old:
        await old.memories.remember(old.person("minji"), "하나")
        async with opened(by_kms) as new:
            await new.memories.remember(new.person("jun"), "둘")
            assert await providers(old) == {"file": 1, "aws-kms": 1}
            assert await remembered(old, "jun") == ["둘"], "reading follows the data"
            assert await new.keys.rotate_wrapping() == 1
            await old.memories.remember(old.person("late"), "셋")
            old.maintenance.vault.opened.clear()
            assert await remembered(old, "minji") == ["하나"]
            with pytest.raises(KeyFileError, match="Set GIEOK_KMS_KEY"):
                async with opened(by_file):
                    pass
            assert await new.keys.retire() == 1, "the file's wrapping key is gone"
            assert await providers(new) == {"aws-kms": 3}
            with pytest.raises(ConflictError, match="retires its keys itself"):
                await new.keys.retire()
        assert await remembered(old, "late") == ["셋"]
        with pytest.raises(KeyFileError, match="AWS KMS seals the key file"):
            await old.memories.remember(old.person("later"), "넷")


@pytest.mark.req("D16")
async def test_keys_move_back_to_the_file_while_people_are_served(
    by_file: Config, by_kms: Config
) -> None:
    async with opened(by_kms) as served:
        await served.memories.remember(served.person("minji"), "하나")
        async with opened(by_file, leaving_kms=True) as back:
            assert await back.keys.rotate_wrapping() == 1
        served.maintenance.vault.opened.clear()
        assert await remembered(served, "minji") == ["하나"]
        await served.memories.remember(served.person("last"), "둘")
        async with opened(by_file) as back:
            assert await remembered(back, "last") == ["둘"]
            await back.keys.retire()
            assert await providers(back) == {"file": 2}
    async with opened(by_file) as memory:
        assert await remembered(memory, "minji") == ["하나"]
        assert await remembered(memory, "last") == ["둘"]


@pytest.mark.req("D16")
@pytest.mark.parametrize("way", ["to KMS", "to the file"])
async def test_a_move_killed_anywhere_goes_on(
    by_file: Config, by_kms: Config, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (by_file, by_kms) if way == "to KMS" else (by_kms, by_file)
    people = [f"person {number}" for number in range(4)]
    async with opened(before) as memory:
        for name in people:
            await memory.memories.remember(memory.person(name), name)
    steps = 0

    def killed_at(step: int, work: Callable[..., Any]) -> Callable[..., Any]:
        async def dies(*given: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == step:
                raise KeyboardInterrupt
            return await work(*given)

        return dies

    for step in range(1, 7):
        steps = 0
        with monkeypatch.context() as patch:
            for name in ("rewrap", "replace_probe"):
                work = getattr(Keystore, name)
                patch.setattr(Keystore, name, killed_at(step, work))
            try:
                async with opened(after, leaving_kms=True) as memory:
                    await memory.keys.rotate_wrapping()
            except KeyboardInterrupt:
                pass
        async with opened(after, leaving_kms=True) as memory:
            assert [await remembered(memory, name) for name in people] == [
                [name] for name in people
            ]
    async with opened(after) as memory:
        await memory.keys.retire()
        assert await providers(memory) == {"aws-kms" if way == "to KMS" else "file": 4}


@pytest.mark.req("D16")
async def test_a_key_of_kms_gives_way_to_another(by_kms: Config, kms: Any) -> None:
    async with opened(by_kms) as memory:
        await memory.memories.remember(memory.person("minji"), "하나")
        before = memory.maintenance.vault.provider.key_id
    kms.update_alias(AliasName=by_kms.kms_key, TargetKeyId=new_key(kms))
    async with opened(by_kms) as memory:
        assert len((await memory.keys.get_status()).wrappings) == 1, "still the old one"
        assert await memory.keys.rotate_wrapping() == 1
    kms.disable_key(KeyId=before.rpartition("/")[2])
    async with opened(by_kms) as memory:
        assert await remembered(memory, "minji") == ["하나"]


@pytest.mark.req("D16")
async def test_the_secret_of_tokens_is_replaced_in_a_sealed_file(
    by_file: Config, by_kms: Config, line: Line
) -> None:
    async with opened(by_kms) as memory:
        await memory.memories.remember(memory.person("minji"), "하나")
        before = memory.maintenance.vault.provider
        await memory.keys.rotate_token_secret()
        file = by_kms.key_path.read_bytes()
        assert json.loads(file).keys() == {"version", "kms", "sealed"}
        line.is_down = True
        with pytest.raises(Unavailable, match="AWS KMS"):
            await memory.keys.rotate_token_secret()
        assert by_kms.key_path.read_bytes() == file
        line.is_down = False
    async with opened(by_kms) as memory:
        after = memory.maintenance.vault.provider
        assert after.token_secret != before.token_secret
        assert after.naming_secret == before.naming_secret
        assert await remembered(memory, "minji") == ["하나"]
    async with opened(by_file, leaving_kms=True) as memory:
        with pytest.raises(KeyFileError, match="Set GIEOK_KMS_KEY"):
            await memory.keys.rotate_token_secret()
    assert by_kms.key_path.read_bytes() == file


@pytest.mark.req("D16")
@pytest.mark.parametrize("way", ["to KMS", "within KMS", "to the file"])
async def test_a_later_rotation_keeps_the_secret_of_tokens_of_another_process(
    by_file: Config, by_kms: Config, way: str
) -> None:
    """It began before the secret was replaced, and holds the one before."""
    before, after = {
        "to KMS": (by_file, by_kms),
        "within KMS": (by_kms, by_kms),
        "to the file": (by_kms, by_file),
    }[way]
    async with opened(before) as memory:
        await memory.memories.remember(memory.person("minji"), "하나")
        async with opened(after, leaving_kms=True) as late:
            await memory.keys.rotate_token_secret()
            ring = await Keyring.open(by_kms.key_path, kms_key=by_kms.kms_key)
            assert ring.token_secret != late.maintenance.vault.provider.token_secret
            await late.keys.rotate_wrapping()
            if way != "within KMS":
                await late.keys.retire()
            left = await Keyring.open(by_kms.key_path, kms_key=by_kms.kms_key)
            assert left.token_secret == ring.token_secret
            assert left.naming_secret == ring.naming_secret
    async with opened(after) as memory:
        assert await remembered(memory, "minji") == ["하나"]


@pytest.mark.req("D16")
async def test_while_kms_is_away_whoever_is_known_is_served(
    by_kms: Config, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch)
    async with opened(by_kms) as memory:
        me, unknown = memory.person("minji"), memory.person("jun")
        session = await memory.sessions.start(me)
        await memory.memories.remember(me, "하나")
        before = len(line.calls)
        line.is_down = True
        for number in range(20):
            turn = Turn(f"{number}번째 말", "네")
            await memory.sessions.record(me, session.session_id, turn)
        assert len(line.calls) == before, "KMS is not asked per request"
        for _ in range(2):
            with pytest.raises(Unavailable, match="AWS KMS"):
                await memory.memories.remember(unknown, "둘")
        assert not await memory.maintenance.vault.keystore.list_keys(unknown.user_id)
        with pytest.raises(Unavailable, match="AWS KMS") as refused:
            async with opened(by_kms):
                pass
        assert "연결할 수 없습니다" in refused.value.message("ko")
        line.is_down = False
        await memory.memories.remember(unknown, "둘")
        assert await remembered(memory, "jun") == ["둘"]
        said = await memory.sessions.read(me, session.session_id)
        assert said.session.message_count == 40


@pytest.mark.req("D16")
async def test_calls_that_come_too_fast_are_made_again(
    by_kms: Config, line: Line
) -> None:
    async with opened(by_kms) as memory:
        before, line.throttled = len(line.calls), 1
        await memory.memories.remember(memory.person("minji"), "하나")
        assert line.calls[before:] == ["Encrypt", "Encrypt", "Decrypt"]


async def test_a_person_is_asked_for_once_by_many(by_kms: Config, line: Line) -> None:
    async with opened(by_kms) as memory:
        before = len(line.calls)
        me = memory.person("minji")
        keys = await asyncio.gather(
            *(memory.maintenance.vault.get_key(me) for _ in range(8))
        )
        assert len({id(key) for key in keys}) == 1
        assert line.calls[before:] == ["Encrypt", "Decrypt"]


@pytest.mark.parametrize(
    ("without", "advice"),
    [("boto3", "pip install 'gieok\\[aws\\]'"), ("region", "set AWS_REGION")],
)
async def test_what_kms_needs_is_named(
    by_kms: Config, monkeypatch: pytest.MonkeyPatch, without: str, advice: str
) -> None:
    if without == "boto3":
        monkeypatch.delitem(sys.modules, "gieok.privacy.aws")
        monkeypatch.setitem(sys.modules, "boto3", None)
    else:
        monkeypatch.delenv("AWS_DEFAULT_REGION")
        monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    with pytest.raises(ConfigurationError, match=advice):
        async with opened(by_kms):
            pass
