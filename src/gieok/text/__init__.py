"""Reads and cleans text: normalization, Korean and English words, times in words."""
