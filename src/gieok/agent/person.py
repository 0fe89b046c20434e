"""Whose data a call of LangGraph's is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from langgraph.config import get_config

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope

USER_ID = "user_id"
"""Where the run's config names the person: `config["configurable"]["user_id"]`."""


@dataclass(frozen=True, slots=True)
class MemoryOwner:
    """One person for good, or whoever the run's config names."""

    memory: Gieok
    fixed: Scope | None

    @classmethod
    def from_person(cls, memory: Gieok, person: Scope | str | None) -> "MemoryOwner":
        """Return the owner that is given as a scope, by the app's id, or not at all.

        Raises:
            InvalidInputError: the id is empty, over 128 characters or not text.
        """
        if person is None or isinstance(person, Scope):
            return cls(memory, person)
        return cls(memory, memory.person(person))

    def resolve_scope(self, config: Mapping[str, Any] | None) -> Scope:
        """Return the person whom a call is about.

        Raises:
            InvalidInputError: nobody is named, or not by a usable id.
        """
        if self.fixed is not None:
            return self.fixed
        named = get_configurable(config or {}).get(USER_ID)
        if named is None:
            problem = "neither the call nor the run's config names a person"
            raise InvalidInputError(USER_ID, problem)
        return self.memory.person(named)

    def resolve_running(self) -> Scope:
        """Return the person of the graph that runs here; raises as `resolve_scope`."""
        return self.resolve_scope(get_running_config())

    def to_configurable(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a config that is handed out has to say of the person."""
        if self.fixed is not None:
            return {}
        named = get_configurable(config).get(USER_ID)
        return {} if named is None else {USER_ID: named}


def get_running_config() -> Mapping[str, Any]:
    """Return the config of the graph that runs here; an empty one if none does."""
    try:
        return cast("Mapping[str, Any]", get_config())
    except RuntimeError:  # no graph is running
        return {}


def get_configurable(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a run's config that is the app's."""
    return cast("Mapping[str, Any]", config.get("configurable") or {})
