"""Rerankers: the first passages of a search are read again with the question, and put in another order."""
