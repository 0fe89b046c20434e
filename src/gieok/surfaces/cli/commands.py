"""Every command by its name: listed without being imported, imported when called."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Final, Protocol, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from gieok.surfaces.cli.messages import format_message, is_message_key

COMMANDS: Final[Mapping[str, str]] = {
    "demo": "demo.demo",
    "chat": "chat.chat",
    "serve": "serving.serve",
    "worker": "serving.worker",
    "token": "serving.token",
    "open": "open_pages.open_pages",
    "remember": "memories.remember",
    "recall": "recall.recall",
    "context": "recall.context_block",
    "forget": "memories.forget",
    "rollback": "rollback.rollback",
    "erase": "erase.erase",
    "restore-check": "erase.restore_check",
    "export": "export.export",
    "import": "export.load",
    "doctor": "doctor.doctor",
    "reembed": "upkeep.reembed",
    "memories": "memories.memories",
    "sessions": "sessions.sessions",
    "summaries": "summaries.summaries",
    "person": "person.person",
    "profile": "profile.profile",
    "settings": "settings.settings",
    "consent": "consent.consent",
    "plan": "plan.plan",
    "devices": "devices.devices",
    "device": "device.device",
    "sync": "sync.sync",
    "jobs": "jobs.jobs",
    "access": "keys.access",
    "keys": "vault_keys.keys",
    "audit": "audit.audit",
    "eval": "scoring.evaluation",
}
"""Module and name, in this folder, of what runs a command or holds its own commands;
the help is the message "help." with the command's name."""
SETTINGS: Final[Mapping[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
"""What every `typer.Typer` here is made with."""


class Command(Protocol):
    """What is needed of typer's own commands, whose types it keeps to itself."""

    help: str | None
    epilog: str | None
    params: "list[_Parameter]"

    def main(self, *, args: list[str], prog_name: str, obj: object) -> None:
        """Run the command on arguments."""
        ...


class _Parameter(Protocol):
    help: str | None


class LazyGroup(TyperGroup):
    """A group that lists `COMMANDS` by name and help, and imports the one called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name in COMMANDS:
            self.add_command(TyperCommand(name, help=f"help.{name}"))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that the arguments name, in the terminal's language."""
        name, outline, rest = super().resolve_command(ctx, args)
        if name is None or outline is None:
            return name, outline, rest
        return name, translate_help(load_command(name), ctx.obj.language), rest


def load_command(name: str) -> Command:
    """Import a command, or a group of commands, and return it."""
    module, _, attribute = COMMANDS[name].rpartition(".")
    part = getattr(import_module(f"gieok.surfaces.cli.{module}"), attribute)
    host = typer.Typer(**SETTINGS)
    if isinstance(part, typer.Typer):
        host.add_typer(part, name=name)
    else:
        host.command(name, help=f"help.{name}")(part)
    return cast("Command", get_group(host).commands[name])


def translate_help(command: Command, language: str) -> Command:
    """Put the reader's language in place of every message key, all the way down."""
    for part in (command, *command.params):
        if is_message_key(getattr(part, "help", None)):
            part.help = format_message(str(part.help), language)
    if is_message_key(command.epilog):
        command.epilog = format_message(str(command.epilog), language)
    for child in _list_children(command):
        translate_help(child, language)
    return command


def _list_children(command: Command) -> Iterable[Command]:
    return cast("dict[str, Command]", getattr(command, "commands", {})).values()
