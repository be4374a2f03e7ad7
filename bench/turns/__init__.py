"""Turns of public conversations: what they are searched for, and which of them are asked back."""
