"""What a browser would send of a form that nobody touched."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

CHOICES = {"checkbox", "radio"}


@dataclass(slots=True)
class _Forms(HTMLParser):
    """Reads the fields of every form by the path that it is sent to."""

    found: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found[about["action"]] = []
        is_sent = "checked" in about or about.get("type") not in CHOICES
        if tag == "input" and self.found and "name" in about and is_sent:
            fields = next(reversed(self.found.values()))
            fields.append((about["name"], about.get("value", "on")))


def read_form(page: str, action: str) -> list[tuple[str, str]]:
    """Return the fields of a page's form, as they stand in it."""
    forms = _Forms()
    forms.feed(page)
    return forms.found[action]
