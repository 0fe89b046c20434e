"""Dates and spells of time, as they were said."""
