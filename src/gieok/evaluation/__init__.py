"""Measures gieok on evaluation sets: what `gieok eval` runs."""
