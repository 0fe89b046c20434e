"""How sure it has to be what a wish to forget means, for it to erase or to ask."""

from typing import Final

SURELY_MEANT: Final = 0.8
"""How likely everything that a wish may mean has to be meant, to be erased at once.

Of 432 wishes by two hands that knew no rule (`measure_wishes.py`) 15 erased something
else with 0.7, 5 with this; 70 of the 87 that erased what they meant still did at once,
and the others asked about it."""
UNSHARED: Final = 0.6
"""How likely at most an item is meant that shares nothing with what a wish names.

"내 몸무게 지워" surely meant arthritis, the only thing known of the body."""
POSSIBLY_MEANT: Final = 0.25
"""How likely what a wish may mean is at least."""
MAX_ASKED: Final = 3  # items that a wish may mean
WORTH_ASKING: Final = 0.2
"""How likely a wish means the best item for anything to be asked about.

Of the same wishes 34 of 180 that mean nothing known asked about something with 0.15, 25
with this; 126 of 180 that name a memory still erase it or ask about it (127)."""
LIKELY_WISH: Final = 0.4
"""How likely a wish at least is asked about if it is plain what it would be about."""
