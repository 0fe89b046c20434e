"""How long a model is waited for, as gieok is shipped (E18)."""

from pathlib import Path

import pytest

from gieok import Config, Parts
from gieok.adapters import get_patience


@pytest.mark.req("E18")
def test_a_summary_is_waited_for_no_longer_than_it_may_take() -> None:
    patience = get_patience(Config(data=Path(), model="openai:gpt-5-mini"), Parts())
    assert patience is not None
    assert patience < 5, "what stands in for a summary comes when this is over"
