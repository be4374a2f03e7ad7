"""Verdicts of guards on questions and answers."""
