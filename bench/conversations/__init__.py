"""Conversations with known answers, turn by turn: follow-ups over contracts, and over the sample."""
