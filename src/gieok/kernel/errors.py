"""Everything gieok raises, as one tree.

    GieokError
    ├── InvalidInputError         the caller sent something unacceptable
    │   └── InvalidFileError      the same of a file, with the place in it
    ├── NotFoundError             no such thing, or it is somebody else's
    ├── ConflictError             the thing is in a state that refuses this
    │   ├── SessionExpiredError   the session rested too long, or outlived its end
    │   ├── LimitReachedError     the person's plan holds no more
    │   └── SyncConflictError     a device and the cloud do not stand where both think
    │       ├── SyncGapError      a number is missing
    │       ├── SyncForkError     a number was sent before, with other words
    │       ├── SyncEpochError    the device's copy is of another epoch
    │       └── SyncUnknownError  the device has not said hello
    ├── DeviceGoneError           the device has to empty itself
    ├── ProtocolError             the device speaks another version of sync
    ├── NotPermittedError         settings or rights forbid it
    ├── AuthenticationError       no valid token
    ├── TamperedError             sealed data was changed, moved or mixed up
    ├── ConfigurationError        the process is set up wrongly
    │   ├── DataDirectoryError    the data directory cannot be used
    │   ├── KeyFileError          the key file is missing, foreign or exposed
    │   ├── EmbedderMismatchError vectors on disk came from another embedder
    │   └── SchemaError           the schema is not this version's
    └── UnavailableError          something outside did not answer; try again
        ├── DatabaseUnavailableError
        ├── StorageFullError
        ├── ModelUnavailableError
        │   └── ModelRefusedError it refuses this very request, however often asked
        └── NoChatModelError      the rules cannot talk; set GIEOK_MODEL

Every class carries its message in English and Korean; `str()` gives the English one and
`message("ko")` the Korean one. Neither ever holds what a person said.
"""

from typing import ClassVar

from gieok.locale.phrases import to_korean


class GieokError(Exception):
    """Base of everything gieok raises on purpose."""

    code: ClassVar[str] = "error"
    en: ClassVar[str] = "Something went wrong."
    ko: ClassVar[str] = "문제가 발생했습니다."

    def __init__(self, **details: object) -> None:
        """Keep `details`, which fill the placeholders of the message."""
        self.details = details
        super().__init__(self.message("en"))

    def message(self, language: str) -> str:
        """Return the message in "ko" or, for anything else, English."""
        if language != "ko":
            return self.en.format_map(self.details)
        return self.ko.format_map(
            {
                name: to_korean(value)
                if isinstance(value, str) and name != "field"
                else value
                for name, value in self.details.items()
            }
        )


class InvalidInputError(GieokError):
    """The caller sent something that cannot be accepted; `field` names it."""

    code = "invalid_input"
    en = "`{field}` cannot be accepted: {problem}."
    ko = "`{field}` 값을 받을 수 없습니다: {problem}."

    def __init__(self, field: str, problem: str) -> None:
        """Name the field and say what is wrong with it."""
        self.field = field
        self.problem = problem
        super().__init__(field=field, problem=problem)


class InvalidFileError(InvalidInputError):
    """A file cannot be accepted; `line` and `member` say where in it, as far as known.

    Lines and entries of a list count from 1. Nothing of the file was kept.
    """

    def __init__(
        self,
        problem: str,
        *,
        member: str | None = None,
        line: int | None = None,
        entry: int | None = None,
    ) -> None:
        """Say what is wrong, in which file of an archive and on which line or entry."""
        self.member, self.line, self.entry = member, line, entry
        super().__init__("file", problem)

    def message(self, language: str) -> str:
        """Return the message with the place in the file, in "ko" or English."""
        is_korean = language == "ko"
        told = to_korean(self.problem) if is_korean else self.problem
        if self.entry:
            entry = f"{self.entry}번째 항목" if is_korean else f"entry {self.entry}"
            told = f"{entry}: {told}"
        if self.line:
            line = f"{self.line}번째 줄" if is_korean else f"line {self.line}"
            told = f"{line}: {told}"
        if self.member:
            told = f"{self.member}, {told}"
        spelled = self.ko if is_korean else self.en
        return spelled.format(field=self.field, problem=told)


class NotFoundError(GieokError):
    """No such thing, or it belongs to somebody else: the two look the same."""

    code = "not_found"
    en = "There is no {thing} with this id."
    ko = "이 아이디의 {thing}을(를) 찾을 수 없습니다."

    def __init__(self, thing: str) -> None:
        """Name the kind of thing that was looked for."""
        super().__init__(thing=thing)


class ConflictError(GieokError):
    """The thing is in a state that refuses this."""

    code = "conflict"
    en = "This cannot be done now: {reason}."
    ko = "지금은 할 수 없습니다: {reason}."

    def __init__(self, reason: str) -> None:
        """Say which state refuses what."""
        super().__init__(reason=reason)


class SessionExpiredError(ConflictError):
    """The session rested too long, or outlived its end."""

    code = "session_expired"
    en = "The session has expired: start another one."
    ko = "세션이 만료되었습니다: 새 세션을 시작하세요."

    def __init__(self) -> None:
        """Take nothing: there is one way to expire."""
        GieokError.__init__(self)


class LimitReachedError(ConflictError):
    """The person's plan holds no more active memories of this persona."""

    code = "memory_limit_reached"

    def __init__(self, limit: int) -> None:
        """Say how many the plan holds."""
        super().__init__(
            f"the plan's limit of {limit} active memories of a persona is reached"
        )


class SyncConflictError(ConflictError):
    """A device and the cloud do not stand where both think; a hello shows the way."""

    code = "sync_conflict"


class SyncGapError(SyncConflictError):
    """A number is missing in what a device sent."""

    code = "sync_gap"

    def __init__(self) -> None:
        """Take nothing: the device asks where to go on."""
        super().__init__("the numbers sent do not follow the last ones")


class SyncForkError(SyncConflictError):
    """A number was sent before, with other words."""

    code = "sync_fork"

    def __init__(self) -> None:
        """Take nothing: the device begins a new incarnation."""
        super().__init__("these numbers were sent before with other words")


class SyncEpochError(SyncConflictError):
    """The device's copy is of another epoch of the memory."""

    code = "sync_epoch"

    def __init__(self) -> None:
        """Take nothing: the device takes a snapshot."""
        super().__init__("the device's copy is of another epoch")


class SyncUnknownError(SyncConflictError):
    """Nobody knows this installation of the device."""

    code = "sync_unknown"

    def __init__(self) -> None:
        """Take nothing: the device says hello."""
        super().__init__("the device has not said hello yet")


class DeviceGoneError(GieokError):
    """The device empties itself: what it holds was erased, or it was shut out."""

    code = "device_gone"
    en = "This device has to erase what it holds: {reason}."
    ko = "이 기기는 저장한 것을 지워야 합니다: {reason}."

    def __init__(self, reason: str, *, field: str = "") -> None:
        """Say what happened to the device or the person.

        `field` is "content" where only that was erased: the device may begin anew.
        """
        self.field = field
        super().__init__(reason=reason)


class ProtocolError(GieokError):
    """The device speaks another version of the exchange."""

    code = "protocol"
    en = "This server speaks version {spoken} of the sync protocol."
    ko = "이 서버는 동기화 프로토콜 {spoken} 버전을 사용합니다."

    def __init__(self, spoken: int) -> None:
        """Name the version that is spoken here."""
        super().__init__(spoken=spoken)


class NotPermittedError(GieokError):
    """The person's settings or the caller's rights forbid it."""

    code = "not_permitted"
    en = "This is not allowed: {reason}."
    ko = "허용되지 않습니다: {reason}."

    def __init__(self, reason: str) -> None:
        """Say what forbids it."""
        super().__init__(reason=reason)


class AuthenticationError(GieokError):
    """The request carries no valid token."""

    code = "unauthenticated"
    en = "A valid bearer token is needed: {reason}."
    ko = "유효한 토큰이 필요합니다: {reason}."

    def __init__(self, reason: str) -> None:
        """Say what is wrong with the token, never the token itself."""
        super().__init__(reason=reason)


class TamperedError(GieokError):
    """Sealed data does not open: it was changed, moved or mixed up."""

    code = "tampered"
    en = "Sealed data in {place} does not open: it was changed or moved."
    ko = "{place}의 암호화된 데이터가 열리지 않습니다: 변경되었거나 옮겨졌습니다."

    def __init__(self, place: str) -> None:
        """Name the table and column."""
        super().__init__(place=place)


class ConfigurationError(GieokError):
    """The process is set up wrongly; the message says what to change."""

    code = "configuration"
    en = "{problem}"
    ko = "{problem}"

    def __init__(self, problem: str) -> None:
        """Say what is wrong and what repairs it."""
        super().__init__(problem=problem)


class DataDirectoryError(ConfigurationError):
    """The data directory cannot be used."""

    code = "data_directory"


class KeyFileError(ConfigurationError):
    """The key file is missing, foreign or readable by others."""

    code = "key_file"


class EmbedderMismatchError(ConfigurationError):
    """Vectors on disk came from another embedder; `gieok reembed` repairs it."""

    code = "embedder_mismatch"


class SchemaError(ConfigurationError):
    """The database's schema is not this version's."""

    code = "schema"


class UnavailableError(GieokError):
    """Something outside did not answer; trying again may help."""

    code = "unavailable"
    en = "{what} is not available: {reason}"
    ko = "{what}에 연결할 수 없습니다: {reason}"

    def __init__(self, what: str, reason: str) -> None:
        """Name what did not answer and what to do."""
        super().__init__(what=what, reason=reason)


class DatabaseUnavailableError(UnavailableError):
    """PostgreSQL did not answer."""

    code = "database_unavailable"

    def __init__(self, reason: str) -> None:
        """Say what was tried and what to check."""
        super().__init__("PostgreSQL", reason)


class StorageFullError(UnavailableError):
    """The database's disk is full; nothing was written."""

    code = "storage_full"

    def __init__(self) -> None:
        """Say that nothing was written."""
        super().__init__("Storage", "the disk is full; nothing was written")


class ModelUnavailableError(UnavailableError):
    """A model could not be reached or did not answer in a usable form."""

    code = "model_unavailable"


class ModelRefusedError(ModelUnavailableError):
    """A model refuses this very request; asking again changes nothing, others may do.

    A filter of its vendor's, more text than it takes, or answers not to be believed.
    """

    code = "model_refused"


class NoChatModelError(UnavailableError):
    """The configured model can read conversations but not take part in one."""

    code = "no_chat_model"
    en = (
        "No chat model is configured, so nothing can be answered. Set GIEOK_MODEL to "
        'one, such as "openai:gpt-5-mini", and its key in GIEOK_MODEL_API_KEY.'
    )
    ko = (
        "대화 모델이 설정되지 않아 답할 수 없습니다. GIEOK_MODEL을 "
        '"openai:gpt-5-mini" 같은 모델로, GIEOK_MODEL_API_KEY를 그 키로 설정해 주세요.'
    )

    def __init__(self) -> None:
        """Say what to set."""
        super(UnavailableError, self).__init__()
