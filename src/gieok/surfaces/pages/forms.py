"""What a form sends: plain fields in the body, read without a library."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from gieok.kernel.errors import InvalidInputError
from gieok.text.patterns import compile_lazily

MAX_FIELDS = 200
MULTIPART: Final = "multipart/form-data"
"""What a form with a file in it sends."""
_FIGURE: Final = compile_lazily(r"[0-9]{1,5}")
_PARAMETER: Final = compile_lazily(r';\s*(\w+)=(?:"([^"]*)"|([^\s;"]*))')
"""One parameter of a header; browsers write a quote within quotes as %22."""


@dataclass(frozen=True, slots=True)
class FormFields:
    """The fields of a form in the order in which they stood, repeats kept."""

    pairs: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field."""
        return next((value for key, value in self.pairs if key == name), default)

    def get_text(self, name: str) -> str:
        """Return the first value of a field of several lines, as it was before."""
        return self.get(name).replace("\r\n", "\n")

    def get_figure(self, name: str) -> int | None:
        """Return the whole number in a field; None if it is left empty.

        Raises:
            InvalidInputError: it is no number, or larger than any that is asked for.
        """
        text = self.get(name).strip()
        if not text:
            return None
        if not _FIGURE.fullmatch(text):
            raise InvalidInputError(name, "it must be a whole number")
        return int(text)

    def get_file(self, name: str) -> bytes:
        """Return what stands in the first file of a field.

        Raises:
            InvalidInputError: none was chosen, or it is empty.
        """
        found = next((body for key, body in self.files if key == name), b"")
        if not found:
            raise InvalidInputError(name, "it is missing")
        return found

    def list_values(self, name: str) -> list[str]:
        """Return all values of a field."""
        return [value for key, value in self.pairs if key == name]

    def is_changed(self, name: str) -> bool:
        """Tell whether a field has other values than the page showed in it.

        The hidden field `shown_` and the name holds those, with spaces between; where
        there is none, whatever the form says is new.
        """
        shown = self.list_values(f"shown_{name}")
        given = " ".join(self.list_values(name))
        return not shown or set(given.split()) != set(shown[0].split())


def parse_form(body: bytes, content_type: str = "") -> FormFields:
    """Return the fields of a body, and its files where it is one that holds files.

    Raises:
        InvalidInputError: it is no form, or has too many fields.
    """
    if content_type.partition(";")[0].strip().lower() == MULTIPART:
        return _parse_multipart(body, content_type)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError:
        field = "body"
        raise InvalidInputError(field, "it has the wrong form") from None
    return FormFields(tuple(pairs))


def _parse_multipart(body: bytes, content_type: str) -> FormFields:
    """Return the fields and files of a body in several parts.

    Raises:
        InvalidInputError: it is no such body, or has too many parts.
    """
    field = "body"
    boundary = _parse_parameters(content_type).get("boundary")
    if not boundary:
        raise InvalidInputError(field, "it has the wrong form")
    limit = f"\r\n--{boundary}".encode("ascii", "replace")
    _, *parts = (b"\r\n" + body).split(limit)
    if not parts or not parts.pop().startswith(b"--") or len(parts) > MAX_FIELDS:
        raise InvalidInputError(field, "it has the wrong form")
    pairs: list[tuple[str, str]] = []
    files: list[tuple[str, bytes]] = []
    for part in parts:
        head, _, content = part.partition(b"\r\n\r\n")
        about = _parse_disposition(head)
        name = about.get("name", "")
        if "filename" in about:
            files.append((name, content))
        else:
            pairs.append((name, content.decode("utf-8", "replace")))
    return FormFields(tuple(pairs), tuple(files))


def _parse_disposition(head: bytes) -> Mapping[str, str]:
    """Return the parameters of a part's Content-Disposition; none if it has none."""
    for line in head.decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-disposition":
            return _parse_parameters(value)
    return {}


def _parse_parameters(header: str) -> Mapping[str, str]:
    """Return the parameters of a header, in time that grows with its length only."""
    return {
        name.lower(): quoted or plain
        for name, quoted, plain in _PARAMETER.findall(header)
    }
