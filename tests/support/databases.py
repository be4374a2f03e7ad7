"""Which tests are about one database only."""

from __future__ import annotations

import pytest

on_sqlite = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
"""Marks a test, or a module by `pytestmark`, that is about SQLite's file itself."""

records_on_sqlite = pytest.mark.parametrize("records", ["sqlite"], indirect=True)
"""The same where `records` is what a test asks for."""
