"""Where the repository's folders lie, wherever a test stands."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
CORPORA: Final = TESTS / "corpora"
PROGRAMS: Final = TESTS / "support" / "programs"
