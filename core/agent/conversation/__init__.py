"""Meaning of earlier turns for a question: follow-ups, the set in hand, choices and questions back."""
