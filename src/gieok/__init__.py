"""gieok (기억): long-term memory for conversational agents.

async with open_memory() as memory:
    minji = memory.person("minji")
    talk = await memory.sessions.start(minji)
    await memory.sessions.record(
        minji, talk.session_id, Turn("나 강남구 살아", "강남구 규정을 알려 드릴게요.")
    )
    await memory.settled(minji)
    print(await memory.context.build(minji, "플라스틱은 어디에 버려?"))
"""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.config import ALL_CATEGORIES, Config
    from gieok.context import Block
    from gieok.episodes import Episode
    from gieok.facade import Gieok
    from gieok.kernel.errors import (
        ConfigurationError,
        ConflictError,
        DatabaseUnavailableError,
        DataDirectoryError,
        GieokError,
        InvalidInputError,
        KeyFileError,
        ModelUnavailableError,
        NotFoundError,
        NotPermittedError,
        StorageFullError,
        TamperedError,
        UnavailableError,
    )
    from gieok.kernel.language import Category, Emotion, Role
    from gieok.kernel.scope import Actor, Scope
    from gieok.memories import Candidate, Memory
    from gieok.opening import open_memory
    from gieok.parts import Parts
    from gieok.recall import Filters, Hit, HitKind
    from gieok.sessions import Layer, Message, Pair, Session, Status, Turn
    from gieok.settings import Policy, Settings
    from gieok.summaries import DaySummary, SessionSummary, WeekSummary
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "ALL_CATEGORIES": "gieok.config",
            "Actor": "gieok.kernel.scope",
            "Block": "gieok.context",
            "Candidate": "gieok.memories",
            "Category": "gieok.kernel.language",
            "Config": "gieok.config",
            "ConfigurationError": "gieok.kernel.errors",
            "ConflictError": "gieok.kernel.errors",
            "DataDirectoryError": "gieok.kernel.errors",
            "DatabaseUnavailableError": "gieok.kernel.errors",
            "DaySummary": "gieok.summaries",
            "Emotion": "gieok.kernel.language",
            "Episode": "gieok.episodes",
            "Filters": "gieok.recall",
            "Gieok": "gieok.facade",
            "GieokError": "gieok.kernel.errors",
            "Hit": "gieok.recall",
            "HitKind": "gieok.recall",
            "InvalidInputError": "gieok.kernel.errors",
            "KeyFileError": "gieok.kernel.errors",
            "Layer": "gieok.sessions",
            "Memory": "gieok.memories",
            "Message": "gieok.sessions",
            "ModelUnavailableError": "gieok.kernel.errors",
            "NotFoundError": "gieok.kernel.errors",
            "NotPermittedError": "gieok.kernel.errors",
            "Pair": "gieok.sessions",
            "Parts": "gieok.parts",
            "Policy": "gieok.settings",
            "Role": "gieok.kernel.language",
            "Scope": "gieok.kernel.scope",
            "Session": "gieok.sessions",
            "SessionSummary": "gieok.summaries",
            "Settings": "gieok.settings",
            "Status": "gieok.sessions",
            "StorageFullError": "gieok.kernel.errors",
            "TamperedError": "gieok.kernel.errors",
            "Turn": "gieok.sessions",
            "UnavailableError": "gieok.kernel.errors",
            "WeekSummary": "gieok.summaries",
            "open_memory": "gieok.opening",
        },
    )

__all__ = [
    "ALL_CATEGORIES",
    "Actor",
    "Block",
    "Candidate",
    "Category",
    "Config",
    "ConfigurationError",
    "ConflictError",
    "DataDirectoryError",
    "DatabaseUnavailableError",
    "DaySummary",
    "Emotion",
    "Episode",
    "Filters",
    "Gieok",
    "GieokError",
    "Hit",
    "HitKind",
    "InvalidInputError",
    "KeyFileError",
    "Layer",
    "Memory",
    "Message",
    "ModelUnavailableError",
    "NotFoundError",
    "NotPermittedError",
    "Pair",
    "Parts",
    "Policy",
    "Role",
    "Scope",
    "Session",
    "SessionSummary",
    "Settings",
    "Status",
    "StorageFullError",
    "TamperedError",
    "Turn",
    "UnavailableError",
    "WeekSummary",
    "open_memory",
]
