"""Arguments and options that several commands share; help texts are message keys."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer
from typer.core import TyperGroup

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.kernel.scope import Scope
from gieok.memories import Memory
from gieok.sessions.inputs import MAX_LISTED

PersonArgument = Annotated[str, typer.Argument(help="arg.person", metavar="USER")]
AsJson = Annotated[bool, typer.Option("--json", help="opt.json")]
IdArgument = Annotated[str, typer.Argument(help="arg.mark", metavar="ID")]

MIN_MARK = 4
"""Fewest characters of an id that may stand for it."""
PAGE = 1_000
T = TypeVar("T")


class DefaultListGroup(TyperGroup):
    """A group whose first command runs when no command is named."""

    default = "list"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command in front of what is not a command."""
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class DefaultShowGroup(DefaultListGroup):
    """A group whose command `show` runs when no command is named."""

    default = "show"


def clean_token(token: str | None) -> str | None:
    """Return a token without white space around it, of which none has any.

    Raises:
        InvalidInputError: it has characters that no token has; it is not named.
    """
    cleaned = (token or "").strip()
    if not (cleaned.isascii() and cleaned.isprintable()) or " " in cleaned:
        name = "token"
        raise InvalidInputError(name, "it has characters that no token has")
    return cleaned or None


def remove_line_end(
    context: typer.Context, parameter: typer.CallbackParam, value: str | None
) -> str | None:
    """Return the value of a variable without its line end; None for nothing.

    A file of variables with Windows line endings leaves one. What was given on the
    command line is returned as it stands.
    """
    source = context.get_parameter_source(parameter.name or "")
    if value is None or source is None or source.name != "ENVIRONMENT":
        return value
    return value.rstrip("\r\n") or None


async def resolve_memory(gieok: Gieok, scope: Scope, name: str) -> Memory:
    """Return the memory of a full id or of the last characters of one.

    Raises:
        NotFoundError: the person has no such memory.
        InvalidInputError: too short, or several memories end like this.
    """
    whole = _parse_whole_id(name)
    if whole is not None:
        return await gieok.memories.get(scope, whole)
    found: list[Memory] = []
    start, total = 0, 1
    while start < total:
        memories, total = await gieok.memories.page(
            scope, include_inactive=True, limit=PAGE, offset=start
        )
        found += [one for one in memories if _has_suffix(one.memory_id, name)]
        start += PAGE
    return _require_single(found, "memory")


async def resolve_candidate(gieok: Gieok, scope: Scope, name: str) -> UUID:
    """Return the id of a candidate; raises as `resolve_memory`."""
    whole = _parse_whole_id(name)
    if whole is not None:
        return whole
    found: list[UUID] = []
    start = 0
    while page := await gieok.memories.candidates(scope, limit=PAGE, offset=start):
        found += [
            one.candidate_id for one in page if _has_suffix(one.candidate_id, name)
        ]
        start += PAGE
    return _require_single(found, "candidate")


async def resolve_session(gieok: Gieok, scope: Scope, name: str) -> UUID:
    """Return the id of a session; raises as `resolve_memory`."""
    whole = _parse_whole_id(name)
    if whole is not None:
        return whole
    found: list[UUID] = []
    start, total = 0, 1
    while start < total:
        sessions, total = await gieok.sessions.page(
            scope, limit=MAX_LISTED, offset=start
        )
        found += [
            one.session_id for one in sessions if _has_suffix(one.session_id, name)
        ]
        start += MAX_LISTED
    return _require_single(found, "session")


def _parse_whole_id(name: str) -> UUID | None:
    if len(name.strip()) < MIN_MARK:
        field = "id"
        raise InvalidInputError(field, f"give at least {MIN_MARK} characters")
    try:
        return UUID(name)
    except ValueError:
        return None


def _has_suffix(thing: UUID, name: str) -> bool:
    return thing.hex.endswith(name.strip().lower().replace("-", ""))


def _require_single(found: Sequence[T], thing: str) -> T:
    if not found:
        raise NotFoundError(thing)
    if len(found) > 1:
        field = "id"
        raise InvalidInputError(field, "several end like this; give more of it")
    return found[0]
