"""The command line: `gieok --help`. It translates; it decides nothing."""

from importlib.util import find_spec

if find_spec("typer") is None:  # the on-device library installs this entry point too
    raise SystemExit("gieok: the command line needs `pip install 'gieok[local]'`")
