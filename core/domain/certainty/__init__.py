"""Certainty of cells: best guesses of undecided ones, and shares that people counted among decided ones."""
