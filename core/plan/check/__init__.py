"""Checker of plans: one judgement of any plan against its question, whoever read that."""
