"""What the change feed tells of."""

from typing import Literal

Entity = Literal[
    "consent",
    "conversation_pair",
    "device",
    "episode",
    "memory_candidate",
    "memory_settings",
    "mid_term_summary",
    "persona",
    "person",
    "recall_item",
    "session",
    "session_message",
    "short_term_summary",
    "store_item",
    "summary_entry",
    "user",
    "user_memory",
]
"""What a change is of: `user` is a person's account, `person` all of a person, gone."""
