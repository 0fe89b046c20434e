"""The `gieok` command: `main` is its entry point.

Exit codes: 0 done · 1 not found, or a check did not hold · 2 wrong use, or an error
that the one red line explains · 130 Ctrl-C · 143 SIGTERM.
"""

import io
import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Annotated, Protocol, cast

import typer
from rich.console import Console
from typer.main import get_command

from gieok.bootstrap import Parts
from gieok.config import Config
from gieok.kernel.errors import GieokError, InvalidInputError, NotFoundError
from gieok.surfaces.cli import (
    audit,
    chat,
    consent,
    demo,
    devices,
    doctor,
    erase,
    export,
    jobs,
    keys,
    memories,
    person,
    plan,
    recall,
    rollback,
    scoring,
    serving,
    sessions,
    settings,
    show,
    summaries,
    upkeep,
    vault_keys,
)
from gieok.surfaces.cli.logs import send_logs_to_stderr
from gieok.surfaces.cli.messages import LANGUAGES, format_message, is_message_key
from gieok.surfaces.cli.terminal import STANDARD, Terminal

NOT_FOUND, FAILED = 1, 2

app = typer.Typer(
    name="gieok",
    help="help.gieok",
    epilog="help.codes",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for name, command in (
    ("demo", demo.demo),
    ("chat", chat.chat),
    ("serve", serving.serve),
    ("worker", serving.worker),
    ("token", serving.token),
    ("remember", memories.remember),
    ("recall", recall.recall),
    ("context", recall.context_block),
    ("forget", memories.forget),
    ("rollback", rollback.rollback),
    ("erase", erase.erase),
    ("restore-check", erase.restore_check),
    ("export", export.export),
    ("import", export.load),
):
    app.command(name, help=f"help.{name}")(command)
app.add_typer(memories.memories, name="memories")
app.add_typer(sessions.sessions, name="sessions")
app.add_typer(summaries.summaries, name="summaries")
app.add_typer(person.person, name="person")
app.add_typer(settings.settings, name="settings")
app.add_typer(consent.consent, name="consent")
app.add_typer(plan.plan, name="plan")
app.add_typer(devices.devices, name="devices")
app.add_typer(jobs.jobs, name="jobs")
app.add_typer(keys.access, name="access")
app.add_typer(vault_keys.keys, name="keys")
app.add_typer(audit.audit, name="audit")
app.command("doctor", help="help.doctor")(doctor.doctor)
app.command("reembed", help="help.reembed")(upkeep.reembed)
app.add_typer(scoring.evaluation, name="eval")


@app.callback()
def root(
    _lang: Annotated[str | None, typer.Option("--lang", help="opt.lang")] = None,
) -> None:
    """Say in which language messages are; `main` has read it already."""


def main() -> None:
    """Run the command line on the process's arguments."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str], *, parts: Parts = STANDARD) -> int:
    """Run one command line and return its exit code.

    `parts` stand in for configured ones, as in `open_memory`.
    """
    send_logs_to_stderr()
    out, err = Console(), Console(stderr=True)
    terminal = Terminal(Config.from_environment({}), "ko", out, err, parts)
    try:
        config = Config.from_environment()
        language, rest = extract_language(arguments, config.language)
        terminal = Terminal(config, language, out, err, parts)
        translated = _translate_help(cast("_Command", get_command(app)), language)
        translated.main(args=list(rest), prog_name="gieok", obj=terminal)
    except ModuleNotFoundError as missing:
        line = terminal.translate_message("missing_package", name=missing.name)
        err.print(show.render_plain(line, "bold red"), soft_wrap=True)
        return FAILED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except GieokError as error:
        show.print_error(terminal, error)
        return NOT_FOUND if isinstance(error, NotFoundError) else FAILED
    return 0


def extract_language(
    arguments: Sequence[str], default: str
) -> tuple[str, Sequence[str]]:
    """Take `--lang` out of the arguments, wherever it stands before a bare "--".

    Raises:
        InvalidInputError: a language there is no catalogue of.
    """
    rest = list(arguments)
    end = rest.index("--") if "--" in rest else len(rest)
    language = default
    for place, argument in enumerate(rest[:end]):
        name, equals, value = argument.partition("=")
        if name != "--lang":
            continue
        language = value if equals else "".join(rest[place + 1 : place + 2])
        del rest[place : place + (1 if equals else 2)]
        break
    if language not in LANGUAGES:
        field = "--lang"
        raise InvalidInputError(field, f"it must be one of {', '.join(LANGUAGES)}")
    return language, rest


class _Parameter(Protocol):
    help: str | None


class _Command(Protocol):
    """What is needed of typer's own commands, whose types it keeps to itself."""

    help: str | None
    epilog: str | None
    params: list[_Parameter]

    def main(self, *, args: list[str], prog_name: str, obj: object) -> None: ...


def _translate_help(command: _Command, language: str) -> _Command:
    """Put the reader's language in place of every message key, all the way down."""
    for part in (command, *command.params):
        if is_message_key(getattr(part, "help", None)):
            part.help = format_message(str(part.help), language)
    if is_message_key(command.epilog):
        command.epilog = format_message(str(command.epilog), language)
    for child in _list_children(command):
        _translate_help(child, language)
    return command


def _list_children(command: _Command) -> Iterable[_Command]:
    return cast("dict[str, _Command]", getattr(command, "commands", {})).values()


if __name__ == "__main__":
    main()
