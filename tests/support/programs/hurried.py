"""Run a command line of gieok's whose worker looks around often: hurried.py WORDS."""

import sys

from gieok import Parts
from gieok.surfaces.cli.app import execute
from gieok.worker import Pace

PACE = Pace(poll=0.5, heartbeat=1.0, stalled_after=3.0, sweep="* * * * * */1")

if __name__ == "__main__":
    sys.exit(execute(sys.argv[1:], parts=Parts(pace=PACE)))
