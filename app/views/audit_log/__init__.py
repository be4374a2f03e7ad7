"""Audit log: who did what, when and from where; whether that record is whole; answers proved and replayed."""
