"""A wrapping key in AWS KMS, as moto's server answers for it."""

import os
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import pytest

from gieok import Gieok, Scope
from gieok.kernel.errors import KeyFileError, UnavailableError
from gieok.privacy import Vault

boto3 = pytest.importorskip("boto3")
moto_server = pytest.importorskip("moto.server")
aws = pytest.importorskip("gieok.privacy.aws")
FAKE = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    before = dict(os.environ)
    os.environ.update(FAKE)
    server = moto_server.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://127.0.0.1:{port}" if host else ""
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture
def kms(endpoint: str) -> Any:
    return boto3.client("kms", endpoint_url=endpoint)


def new_key(kms: Any) -> str:
    return str(kms.create_key()["KeyMetadata"]["KeyId"])


@pytest.mark.req("D16")
async def test_a_key_wrapped_by_kms_comes_back(endpoint: str, kms: Any) -> None:
    provider = aws.AwsKeyProvider.connect(new_key(kms), endpoint=endpoint)
    wrapped = await provider.wrap(b"k" * 32)
    assert b"k" * 32 not in wrapped
    assert await provider.unwrap(wrapped) == b"k" * 32


@pytest.mark.req("D16")
async def test_what_kms_refuses_is_named(endpoint: str, kms: Any) -> None:
    key_id = new_key(kms)
    provider = aws.AwsKeyProvider.connect(key_id, endpoint=endpoint)
    wrapped = await provider.wrap(b"k" * 32)
    changed = bytes([*wrapped[:-1], wrapped[-1] ^ 1])
    with pytest.raises(KeyFileError, match="AWS KMS refuses"):
        await provider.unwrap(changed)
    foreign = kms.encrypt(KeyId=key_id, Plaintext=b"k" * 32)["CiphertextBlob"]
    with pytest.raises(KeyFileError, match="AWS KMS refuses"):
        await provider.unwrap(foreign)  # sealed for another purpose
    nobody = aws.AwsKeyProvider.connect("alias/nobody", endpoint=endpoint)
    with pytest.raises(KeyFileError, match="NotFound"):
        await nobody.wrap(b"k" * 32)


async def test_a_kms_that_is_away_is_named() -> None:
    config = pytest.importorskip("botocore.config").Config(
        retries={"max_attempts": 0}, connect_timeout=1
    )
    client = boto3.client(
        "kms",
        endpoint_url="http://127.0.0.1:9",
        region_name="eu-central-1",
        aws_access_key_id="x",
        aws_secret_access_key="x",
        config=config,
    )
    with pytest.raises(UnavailableError, match="AWS KMS"):
        await aws.AwsKeyProvider("k", client).wrap(b"k" * 32)


@pytest.mark.req("D16")
async def test_a_vault_opens_with_kms(
    memory: Gieok, endpoint: str, kms: Any, me: Scope
) -> None:
    provider = aws.AwsKeyProvider.connect(new_key(kms), endpoint=endpoint)
    vault = Vault(memory.vault.keystore, provider, OrderedDict())
    key = await vault.key(me)
    held = await memory.vault.keystore.held(me.user_id)
    assert held[0].wrapped_by == provider.key_id
    vault.forget(me)
    assert (await vault.key(me)).digest("x") == key.digest("x")
    async with memory.vault.keystore.pool.connection() as connection:
        await connection.execute(
            "DELETE FROM user_keys WHERE user_id = %s", [me.user_id]
        )
