"""Seals of the audit log: where every person's chain stood, signed from time to time.

They lie beside the keys and not beside the log: whoever can write to the log alone can
neither cut off the end of a chain nor remove a whole one unseen. Each seal covers the
one before it, so none can be taken out either.
"""

import hashlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from gieok.database.pool import Pool
from gieok.database.transaction import map_errors
from gieok.privacy.signing import InstallationSigner

USE: Final = b"gieok/audit-seal"
SCHEMA: Final = (
    """
    CREATE TABLE IF NOT EXISTS audit_seals (
        number bigint PRIMARY KEY,
        sealed_at timestamptz NOT NULL,
        digest bytea NOT NULL,
        signature bytea NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS audit_heads (
        user_id uuid NOT NULL,
        seq bigint NOT NULL,
        hash bytea NOT NULL,
        number bigint NOT NULL REFERENCES audit_seals,
        PRIMARY KEY (user_id, seq)
    )
    """,
    "CREATE INDEX IF NOT EXISTS audit_heads_by_seal ON audit_heads (number, user_id)",
)
LAST_SEALED: Final = """
    SELECT user_id, seq
    FROM unnest(%s::uuid[]) AS person (user_id) CROSS JOIN LATERAL (
        SELECT seq FROM audit_heads WHERE audit_heads.user_id = person.user_id
        ORDER BY seq DESC LIMIT 1
    ) AS newest
"""
"""Reads one head of each of these people, however many they have."""
_SEAL_LOCK: Final = 0x7365616C
"""Lets one process at a time seal ("seal" in ASCII)."""


class ChainHead(NamedTuple):
    """Where a person's chain stood: its newest line, by number and hash."""

    user_id: UUID
    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditSeal:
    """One seal; `compute_digest` covers its heads and the seal before."""

    number: int
    at: datetime
    digest: bytes
    signature: bytes

    @property
    def signed(self) -> bytes:
        """The bytes that the signature covers."""
        at = self.at.astimezone(UTC).isoformat(timespec="microseconds")
        return f"{self.number} {at} {self.digest.hex()}".encode()


@dataclass(frozen=True, slots=True)
class AuditSeals:
    """The seals of this installation."""

    pool: Pool
    signer: InstallationSigner

    async def append(
        self, heads: Sequence[ChainHead], at: datetime
    ) -> AuditSeal | None:
        """Seal the chains that went on since they were sealed; None if none did.

        A chain that is shorter than it was, or ends otherwise, stays sealed as it was.
        """
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    "SELECT pg_advisory_xact_lock(%s)", [_SEAL_LOCK]
                )
                found = await connection.execute(
                    LAST_SEALED, [[head.user_id for head in heads]]
                )
                known = dict(await found.fetchall())
                news = sorted(h for h in heads if h.seq > known.get(h.user_id, 0))
                if not news:
                    return None
                found = await connection.execute(
                    "SELECT number, digest FROM audit_seals "
                    "ORDER BY number DESC LIMIT 1"
                )
                number, before = await found.fetchone() or (0, b"")
                seal = AuditSeal(
                    number + 1, at, _compute_digest(bytes(before), news), b""
                )
                signature = self.signer.sign(seal.signed)
                await connection.execute(
                    "INSERT INTO audit_seals VALUES (%s, %s, %s, %s)",
                    [seal.number, seal.at, seal.digest, signature],
                )
                await connection.cursor().executemany(
                    "INSERT INTO audit_heads VALUES (%s, %s, %s, %s)",
                    [(*head, seal.number) for head in news],
                )
        return AuditSeal(seal.number, seal.at, seal.digest, signature)

    async def list_newest(self, *, limit: int = 50) -> list[AuditSeal]:
        """Return the newest seals, newest first."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT number, sealed_at, digest, signature FROM audit_seals "
                    "ORDER BY number DESC LIMIT %s",
                    [limit],
                )
                return [
                    AuditSeal(number, at, bytes(digest), bytes(signature))
                    for number, at, digest, signature in await found.fetchall()
                ]

    async def get_hashes(self, user_id: UUID) -> dict[int, bytes]:
        """Return the sealed hashes of a person's lines, by number."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT seq, hash FROM audit_heads WHERE user_id = %s", [user_id]
                )
                return {seq: bytes(sealed) for seq, sealed in await found.fetchall()}

    async def list_people(self) -> set[UUID]:
        """Return everyone whose chain was ever sealed."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT DISTINCT user_id FROM audit_heads"
                )
                return {row[0] for row in await found.fetchall()}

    async def find_broken(self, kept: Sequence[AuditSeal] = ()) -> int | None:
        """Return the number of the first seal that does not hold, if any.

        `kept` are seals that somebody put aside: each has to be among those that are
        here, as it is, and signed.
        """
        wanted = {seal.number: seal for seal in kept}
        before, count = b"", 0
        async for seal, heads in self._iterate_seals():
            count += 1
            put_aside = wanted.pop(seal.number, seal)
            if (seal.number, seal.digest) != (
                count,
                _compute_digest(before, heads),
            ) or not (
                put_aside == seal and self.signer.verify(seal.signed, seal.signature)
            ):
                return count
            before = seal.digest
        return min(wanted, default=None)

    async def _iterate_seals(self) -> AsyncGenerator[tuple[AuditSeal, list[ChainHead]]]:
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT number, sealed_at, digest, signature FROM audit_seals "
                    "ORDER BY number"
                )
                for number, at, digest, signature in await found.fetchall():
                    under = await connection.execute(
                        "SELECT user_id, seq, hash FROM audit_heads WHERE number = %s",
                        [number],
                    )
                    heads = [ChainHead(r[0], r[1], bytes(r[2])) async for r in under]
                    yield (
                        AuditSeal(number, at, bytes(digest), bytes(signature)),
                        sorted(heads),
                    )


def _compute_digest(before: bytes, heads: Sequence[ChainHead]) -> bytes:
    """Return the digest of a seal's heads, in order, and of the seal before."""
    digest = hashlib.sha256(before)
    for head in heads:
        digest.update(head.user_id.bytes + head.seq.to_bytes(8) + head.hash)
    return digest.digest()
