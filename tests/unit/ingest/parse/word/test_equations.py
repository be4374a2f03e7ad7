"""Equations of Word files."""

from __future__ import annotations

from pathlib import Path

from tests.support.word import paragraph, run, text_of


def test_equations_stand_in_one_line(tmp_path: Path) -> None:
    def part(name: str, text: str) -> str:
        return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"

    equation = (
        f"<m:oMath><m:r><m:t>E=</m:t></m:r>"
        f"<m:f>{part('num', 'a+b')}{part('den', '2')}</m:f><m:r><m:t>+</m:t></m:r>"
        f"<m:sSup>{part('e', 'x')}{part('sup', '2')}</m:sSup>"
        f"<m:rad><m:deg/>{part('e', 'y')}</m:rad></m:oMath>"
    )

    assert text_of(tmp_path, paragraph(run("So ") + equation)) == "So E=(a+b)/2+x²√(y)"
