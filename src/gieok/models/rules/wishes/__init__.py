"""Wishes to forget: what asks for it, and what of all that is known it means."""
