"""Doubts about queries over tables: what does not fit a question, and what is left out of it."""
