"""Prose that a language model writes over evidence, and what makes a sentence of it a checked claim."""
