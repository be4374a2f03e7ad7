"""Roles of principals in tests."""

from __future__ import annotations

MAY_ASK = frozenset({"contract_read"})
"""Those of who may ask, and no more."""
