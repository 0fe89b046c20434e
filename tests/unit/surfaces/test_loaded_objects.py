"""A server does not search what was loaded to stay for garbage."""

import gc

from gieok.surfaces.cli.serving import exclude_loaded_objects


def test_what_was_loaded_before_is_never_looked_at_again() -> None:
    loaded: list[list[object]] = [[]]
    try:
        exclude_loaded_objects()
        assert gc.get_freeze_count() > 0
        assert not any(each is loaded for each in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(each is loaded for each in gc.get_objects())
