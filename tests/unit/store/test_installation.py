from __future__ import annotations

import threading
from pathlib import Path

from core.config.models import Settings
from core.store.backup import backup, restore
from core.store.store import Records, installation_id


def test_an_installation_keeps_its_id_however_many_ask_first(settings: Settings) -> None:
    found: list[str] = []

    def ask() -> None:
        with Records.open(settings) as records:
            found.append(installation_id(records))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_two_homes_are_two_installations_and_a_restored_one_is_the_same(tmp_path: Path) -> None:
    first, second = (Settings(home=tmp_path / name) for name in ("first", "second"))
    with Records.open(first) as one, Records.open(second) as other:
        kept = installation_id(one)
        assert installation_id(other) != kept
        backup(one, first.home, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "third")
    with Records.open(Settings(home=tmp_path / "third")) as restored:
        assert installation_id(restored) == kept
