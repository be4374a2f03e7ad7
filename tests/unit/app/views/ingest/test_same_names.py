from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from tests.support.fake_workbench import FakeWorkbench

BATCH = "b" * 32


@pytest.fixture
def bench(tmp_path: Path) -> FakeWorkbench:
    fake = FakeWorkbench(tmp_path / "home")
    services.use(fake)  # type: ignore[arg-type]
    return fake


def _draw(names: tuple[str, ...]) -> None:
    import streamlit as st

    from app.running.uploads import StagedFile
    from app.views.ingest.same_names import draw_same_names

    files = [StagedFile(name, 1) for name in names]
    st.json(draw_same_names("b" * 32, files, ["default"] * len(files)))


def drawn(*names: str) -> AppTest:
    return AppTest.from_function(_draw, args=(names,)).run()


def test_a_file_of_a_new_name_is_not_asked_about(bench: FakeWorkbench) -> None:
    services.staging().place(BATCH, "yard.txt").write_text("The yard opens at six.")
    found = drawn("yard.txt")
    assert not found.exception
    assert (list(found.segmented_control), found.json[0].value) == ([], "{}")


def test_a_choice_is_by_likeness_until_somebody_chooses(bench: FakeWorkbench) -> None:
    bench.add("default", "_yard_.txt", "Yard", "text/plain", ["The yard opens at six."])
    services.staging().place(BATCH, "*yard*.txt").write_text("Cats like fish.")
    found = drawn("_yard_.txt")
    assert not found.exception
    (choice,) = found.segmented_control
    assert choice.value == "other"
    assert "25 % of the text" in found.markdown[1].value
    choice.select("version").run()
    assert "version" in found.json[0].value
