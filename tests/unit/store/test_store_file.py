from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.store.store import Records
from core.store.store_file import RECORDS_FILE, has_accounts


def test_a_home_tells_whether_it_has_accounts_before_it_is_open(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    assert has_accounts(settings) is False
    with Records.open(settings) as records:
        assert has_accounts(settings) is False
        records.accounts.add("root", roles=["admin"])
        assert has_accounts(settings) is True


def test_where_the_file_does_not_tell_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / RECORDS_FILE).write_bytes(b"no database at all, but a file of some length")
    assert has_accounts(Settings(home=tmp_path)) is None
    away = RecordsSettings(url=SecretStr("postgresql://u@h/d"))
    assert has_accounts(Settings(home=tmp_path, records=away)) is None
