"""Keeps instructions out of memory, and memory out of the place of instructions."""
