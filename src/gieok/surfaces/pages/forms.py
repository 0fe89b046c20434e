"""What a form sends: plain fields in the body, read without a library."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from gieok.kernel.errors import InvalidInputError

MOST_FIELDS = 200


@dataclass(frozen=True, slots=True)
class FormFields:
    """The fields of a form in the order in which they stood, repeats kept."""

    pairs: tuple[tuple[str, str], ...] = ()

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field."""
        return next((value for key, value in self.pairs if key == name), default)

    def get_text(self, name: str) -> str:
        """Return the first value of a field of several lines, as it was before."""
        return self.get(name).replace("\r\n", "\n")

    def list_values(self, name: str) -> list[str]:
        """Return all values of a field."""
        return [value for key, value in self.pairs if key == name]


def parse_form(body: bytes) -> FormFields:
    """Return the fields of a body.

    Raises:
        InvalidInputError: it is no form, or has too many fields.
    """
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        field = "body"
        raise InvalidInputError(field, "it has the wrong form") from None
    return FormFields(tuple(pairs))
