"""Measuring answers: questions whose right answers are known, and how an answer is held against them."""
