"""The `gieok` command: `main` is its entry point.

Exit codes: 0 done · 1 not found, or a check did not hold · 2 wrong use, or an error
that the one red line explains · 130 Ctrl-C · 143 SIGTERM.
"""

import io
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, cast

import typer
from rich.console import Console
from typer.main import get_command

from gieok.config import Config
from gieok.kernel.errors import GieokError, InvalidInputError, NotFoundError
from gieok.locale import LANGUAGES
from gieok.parts import Parts
from gieok.surfaces.cli.commands import SETTINGS, Command, LazyGroup, translate_help
from gieok.surfaces.cli.terminal import STANDARD, Terminal, render_plain

NOT_FOUND, FAILED = 1, 2

app = typer.Typer(
    name="gieok",
    cls=LazyGroup,
    help="help.gieok",
    epilog="help.codes",
    no_args_is_help=True,
    **SETTINGS,
)


@app.callback()
def root(
    _lang: Annotated[str | None, typer.Option("--lang", help="opt.lang")] = None,
) -> None:
    """Prepare what every command needs; `main` has read the language already."""
    from gieok.surfaces.cli.logs import send_logs_to_stderr  # noqa: PLC0415 - not for help

    send_logs_to_stderr()


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
    out, err = Console(), Console(stderr=True)
    terminal = Terminal(Config.from_environment({}), "ko", out, err, parts)
    try:
        config = Config.from_environment()
        language, rest = extract_language(arguments, config.language)
        terminal = Terminal(config, language, out, err, parts)
        translated = translate_help(cast("Command", get_command(app)), language)
        translated.main(args=list(rest), prog_name="gieok", obj=terminal)
    except ModuleNotFoundError as missing:
        line = terminal.translate_message("missing_package", name=missing.name)
        err.print(render_plain(line, "bold red"), soft_wrap=True)
        return FAILED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except GieokError as error:
        terminal.print_error(error)
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


if __name__ == "__main__":
    main()
