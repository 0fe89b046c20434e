"""The vault: everything personal is sealed with the person's own key."""

from gieok.privacy.keyring import Keyring
from gieok.privacy.keys import FileKeyProvider, KeyProvider
from gieok.privacy.keystore import Keystore
from gieok.privacy.ledger import Kind, Ledger, LedgerEntry
from gieok.privacy.reading import note_unreadable, readable
from gieok.privacy.vault import PersonKey, Place, Vault

__all__ = [
    "FileKeyProvider",
    "KeyProvider",
    "Keyring",
    "Keystore",
    "Kind",
    "Ledger",
    "LedgerEntry",
    "PersonKey",
    "Place",
    "Vault",
    "note_unreadable",
    "readable",
]
