"""Run a command of gieok's; from SIGUSR1 on, print what it had not loaded until then.

One line on the error stream, "loaded NAME", for each module imported on the event loop,
each expression compiled there, and for Korean morphology, which stops the loop from any
thread.
"""

import re
import signal
import sys
import threading
from typing import Any

from gieok.surfaces.cli.app import execute

ANYWHERE = {"kiwipiepy"}
compile_expression = re.compile


def begin(*_: object) -> None:
    """Print what is loaded from now on."""
    sys.addaudithook(note_import)
    re.compile = note_expression


def note_import(event: str, arguments: tuple[Any, ...]) -> None:
    """Print a module that was not imported before."""
    if event == "import" and (is_on_the_loop() or arguments[0] in ANYWHERE):
        print("loaded", arguments[0], file=sys.stderr, flush=True)  # noqa: T201


def note_expression(pattern: Any, flags: Any = 0) -> Any:
    """Print an expression of ours that was not compiled before."""
    caller = sys._getframe(1).f_globals["__name__"]  # noqa: SLF001 - who asks for it
    if caller.startswith("gieok") and is_on_the_loop():
        print("loaded", repr(pattern)[:60], file=sys.stderr, flush=True)  # noqa: T201
    return compile_expression(pattern, flags)


def is_on_the_loop() -> bool:
    """Tell whether the event loop waits for this."""
    return threading.current_thread() is threading.main_thread()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, begin)
    sys.exit(execute(sys.argv[1:]))
