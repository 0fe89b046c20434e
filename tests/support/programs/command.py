"""Run a command line of gieok's, with parts that load nothing: command.py WORDS."""

import sys

from fakes import parts

from gieok.surfaces.cli.app import execute

if __name__ == "__main__":
    sys.exit(execute(sys.argv[1:], parts=parts()))
