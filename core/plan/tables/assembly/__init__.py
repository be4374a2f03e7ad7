"""Queries assembled out of what the words of a question mean, beside the reader of wordings."""
