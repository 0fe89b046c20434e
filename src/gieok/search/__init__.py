"""Searches one person's rows: index, postings, ranking, the question."""
