"""The vault: everything personal is sealed with the person's own key."""

from gieok.privacy.keyring import Keyring
from gieok.privacy.keys import FileKeyProvider, KeyProvider
from gieok.privacy.keystore import Keystore
from gieok.privacy.ledger import DecisionEntry, ErasureKind, Ledger, LedgerEntry
from gieok.privacy.readable_rows import SealedRows, log_unreadable, read_rows
from gieok.privacy.vault import PersonKey, Place, Vault

__all__ = [
    "DecisionEntry",
    "ErasureKind",
    "FileKeyProvider",
    "KeyProvider",
    "Keyring",
    "Keystore",
    "Ledger",
    "LedgerEntry",
    "PersonKey",
    "Place",
    "SealedRows",
    "Vault",
    "log_unreadable",
    "read_rows",
]
