"""Whether a home has accounts, asked before anything of it is open: the first page must not wait for that."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from core.config.models import Settings


def has_accounts(settings: Settings, file_name: str) -> bool | None:
    """True or False where the home's own SQLite file tells; None where only the opened records can.

    file_name: of the records in the home.
    """
    if settings.records.url.get_secret_value():
        return None
    file: Path = settings.home / file_name
    if not file.is_file():
        return False
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)
        try:
            return connection.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is not None
        finally:
            connection.close()
    except sqlite3.Error:
        return None  # older than accounts, locked or broken: opening it says which
