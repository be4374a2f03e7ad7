"""Roles of principals in tests."""

from __future__ import annotations

MAY_ASK = frozenset({"contract_read"})
"""Those of who may ask, and no more."""

MAY_ASK_ALL = MAY_ASK | {"compliance_officer", "finance_read"}
"""Those of who may ask whatever there is to ask."""
