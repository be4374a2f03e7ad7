"""The file that holds the records of a home, looked into without opening them: no SQL library is imported."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from core.config.models import Settings

RECORDS_FILE = "records.sqlite"


def has_accounts(settings: Settings) -> bool | None:
    """True or False where the home's own SQLite file tells; None where only the opened records can."""
    if settings.records.url.get_secret_value():
        return None
    file: Path = settings.home / RECORDS_FILE
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
