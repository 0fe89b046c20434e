"""The texts of the pages: both languages, every key, and what people agreed to."""

import hashlib
import json
import re
from string import Formatter

import pytest

from gieok.database.journal import AuditEvent
from gieok.kernel.language import CardField, Category, Role
from gieok.kernel.scope import Actor
from gieok.locale import load_texts
from gieok.memories import HistoryAction, QuarantineReason, Trust
from gieok.privacy import ErasureKind
from gieok.privacy.receipts import PARTS
from gieok.sessions import Status
from gieok.settings import Policy, Purpose
from gieok.surfaces.pages.consent import NOTICE
from gieok.surfaces.pages.rendering import TEMPLATES
from gieok.surfaces.pages.texts import has_text, load_page_texts
from gieok.sync.model import ConflictKind, SyncStatus
from support.paths import ROOT

KOREAN, ENGLISH = load_page_texts("ko"), load_page_texts("en")
AGREED = {"pages/1": "59db190b11d09296"}
"""The digest of the consent texts under each version people were ever asked with."""
NAMED = {
    "actor": Actor,
    "category": Category,
    "conflict": ConflictKind,
    "consent": Purpose,
    "event": AuditEvent.__args__,  # pyright: ignore[reportAttributeAccessIssue]
    "held": QuarantineReason,
    "kind": ErasureKind,
    "place": CardField,
    "policy": Policy,
    "role": Role,
    "status": Status,
    "step": HistoryAction,
    "sync": SyncStatus,
    "trust": Trust,
}


def test_both_languages_have_the_same_places() -> None:
    assert KOREAN.keys() == ENGLISH.keys()
    for key in KOREAN:
        texts = KOREAN[key], ENGLISH[key]
        korean, english = ([*Formatter().parse(text)] for text in texts)
        assert {name for _, name, *_ in korean if name} == {
            name for _, name, *_ in english if name
        }, key


def test_every_key_of_a_template_has_a_text() -> None:
    for template in TEMPLATES.rglob("*.html"):
        page = template.read_text("utf-8")
        for key, rest in re.findall(r't\("([\w.]+)"\s*([~]?)', page):
            known = any(each.startswith(key) for each in KOREAN)
            assert known if rest else has_text(key), f"{template.name}: {key}"


@pytest.mark.parametrize("group", sorted(NAMED))
def test_every_value_has_a_name(group: str) -> None:
    for value in NAMED[group]:
        assert has_text(f"{group}.{value}"), value


def test_every_part_of_a_receipt_has_a_name() -> None:
    for parts in PARTS.values():
        for part, fate in parts.items():
            assert has_text(f"part.{part}"), part
            assert has_text(f"fate.{fate}"), fate


def test_whatever_the_audit_log_names_has_a_name() -> None:
    named = re.compile(r'Audit\(\s*"[a-z]+",\s*"(\w+)"|^TABLE.*= "(\w+)"', re.MULTILINE)
    found = {
        one or other
        for file in (ROOT / "src" / "gieok").rglob("*.py")
        for one, other in named.findall(file.read_text("utf-8"))
    }
    assert len(found) > 15
    assert {name for name in found if not has_text(f"table.{name}")} == set()


@pytest.mark.req("D14")
def test_consent_is_asked_anew_when_its_texts_change() -> None:
    korean, english = load_texts("ko", "consent"), load_texts("en", "consent")
    texts = {key: (korean[key], english[key]) for key in korean}
    digest = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()
    assert AGREED[NOTICE] == digest[:16]
