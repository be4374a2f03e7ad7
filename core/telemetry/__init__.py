"""Counts, times and traces for those who keep a home running: never a word, nor the name of a person."""
