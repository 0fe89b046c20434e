"""Pending work run now, vectors made anew, and what was withdrawn erased."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.maintenance.service import Maintenance, Replay
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "Maintenance": "gieok.maintenance.service",
            "Replay": "gieok.maintenance.service",
        },
    )

__all__ = ["Maintenance", "Replay"]
