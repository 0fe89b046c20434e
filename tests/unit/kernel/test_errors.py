"""Everything gieok raises, as one tree."""

import re
from itertools import pairwise

import pytest

from gieok.kernel import errors
from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    DatabaseUnavailableError,
    DataDirectoryError,
    DeviceGoneError,
    EmbedderMismatchError,
    GieokError,
    InvalidFileError,
    InvalidInputError,
    KeyFileError,
    LimitReachedError,
    ModelRefusedError,
    ModelUnavailableError,
    NoChatModelError,
    NotFoundError,
    NotPermittedError,
    ProtocolError,
    SchemaError,
    SessionExpiredError,
    StorageFullError,
    SyncConflictError,
    SyncEpochError,
    SyncForkError,
    SyncGapError,
    SyncUnknownError,
    TamperedError,
    UnavailableError,
)
from gieok.locale.phrases import to_korean

DRAWN = [
    (len(found[1]) // 4, found[2])
    for line in (errors.__doc__ or "").splitlines()
    if (found := re.match(r" {4}((?:[│├└─ ]{4})*)(\w+Error)\b", line))
]
EXAMPLES = [
    GieokError(),
    InvalidInputError("limit", "it must be positive"),
    InvalidFileError("a line is not JSON", member="a.jsonl", line=3),
    NotFoundError("memory"),
    ConflictError("the session is completed"),
    SessionExpiredError(),
    LimitReachedError(5),
    SyncConflictError("the session is completed"),
    SyncGapError(),
    SyncForkError(),
    SyncEpochError(),
    SyncUnknownError(),
    DeviceGoneError("it was erased"),
    ProtocolError(1),
    NotPermittedError("memory is off"),
    AuthenticationError("it has expired"),
    TamperedError("user_memories.content"),
    ConfigurationError("GIEOK_DATA is wrong."),
    DataDirectoryError("/x cannot be written."),
    KeyFileError("/x is missing."),
    EmbedderMismatchError("Run `gieok reembed`."),
    SchemaError("gieok needs PostgreSQL 15."),
    UnavailableError("Redis", "it does not answer"),
    DatabaseUnavailableError("it does not answer"),
    StorageFullError(),
    ModelUnavailableError("gpt", "it does not answer"),
    ModelRefusedError("gpt", "it answered with HTTP status 400"),
    NoChatModelError(),
]


def everything(kind: type[GieokError] = GieokError) -> set[type[GieokError]]:
    return {kind}.union(*(everything(below) for below in kind.__subclasses__()))


def test_the_drawn_tree_is_the_tree() -> None:
    ours = {kind for kind in everything() if kind.__module__ == errors.__name__}
    assert {name for _, name in DRAWN} == {kind.__name__ for kind in ours}
    branch: list[str] = []
    for depth, name in DRAWN:
        del branch[depth:]
        branch.append(name)
        lineage = [getattr(errors, above) for above in branch]
        assert all(issubclass(low, high) for high, low in pairwise(lineage))
        assert lineage[-1].__base__ in {*lineage[:-1], Exception}
        assert len(lineage) == 1 or lineage[-1].__base__ is lineage[-2]


def test_every_error_has_an_example_here_and_a_code_of_its_own() -> None:
    assert {type(example) for example in EXAMPLES} == {
        kind for kind in everything() if kind.__module__ == errors.__name__
    }
    codes = [e.code for e in EXAMPLES if not isinstance(e, InvalidFileError)]
    assert InvalidFileError.code == InvalidInputError.code, "a file is an input"
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_every_message_is_there_in_both_languages_with_its_details(
    error: GieokError,
) -> None:
    assert str(error) == error.message("en") == error.message("fr")
    assert all(str(detail) in str(error) for detail in error.details.values())
    spoken = [to_korean(str(detail)) for detail in error.details.values()]
    assert all(detail in error.message("ko") for detail in spoken)
    for message in (error.message("en"), error.message("ko")):
        assert message.strip()
        assert "{" not in message
    written_by_caller = isinstance(error, ConfigurationError)
    assert written_by_caller or re.search("[가-힣]", error.message("ko"))


def test_braces_in_a_detail_are_left_alone() -> None:
    assert "{0.__class__}" in str(ConflictError("{0.__class__}"))


def test_a_bad_input_names_its_field() -> None:
    error = InvalidInputError("limit", "it must be positive")
    assert (error.field, error.problem) == ("limit", "it must be positive")
