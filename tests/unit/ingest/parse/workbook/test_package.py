"""Parts of an Office file whose names have a prefix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.made_workbooks import harbour, lines, read, rewritten, saved


@pytest.mark.parametrize("prefix", ["x", "main"])
def test_names_with_a_prefix_are_read(tmp_path: Path, prefix: str) -> None:
    def change(xml: str) -> str:
        return re.sub(r"<(/?)(?=[a-zA-Z])", rf"<\1{prefix}:", xml.replace("xmlns=", f"xmlns:{prefix}="))

    path = rewritten(saved(tmp_path, harbour()), "sheet1.xml", change)
    assert "Berth: N1 | Key: 7 | Fee EUR: 310" in lines(read(path))
