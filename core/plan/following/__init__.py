"""Edits of the last reading that turns of a conversation are."""
