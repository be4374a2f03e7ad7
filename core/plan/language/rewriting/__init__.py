"""Wordings put in plainer words before a question is read."""
