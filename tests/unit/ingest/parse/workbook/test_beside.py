"""What stands beside the cells of a sheet."""

from __future__ import annotations

from pathlib import Path

from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from core.domain.document import PartState
from tests.support.made_workbooks import harbour, lines, part, read, rewritten, saved


def test_comments_stand_behind_their_row_and_charts_are_named(tmp_path: Path) -> None:
    book = harbour()
    sheet = book.active
    sheet["C3"].comment = Comment("Mo:\nagreed | for a year", "Mo")
    sheet["A1"].comment = Comment("see map", "Mo")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=5))
    sheet.add_chart(chart, "F2")
    found = read(saved(tmp_path, book))
    assert "Berth: N2 | Key: 8 | Fee EUR: 420 [comment by Mo on C3: agreed / for a year]" in lines(found)
    assert lines(found)[-1] == "[comment by Mo on A1: see map]"
    assert part(found, "comments").count == 2
    assert part(found, "charts").is_gap


def test_every_comment_stands_in_the_text_wherever_its_cell_is(tmp_path: Path) -> None:
    book = harbour()
    sheet = book.active
    for name in ("D2", "C3", "A40", "B41", "XFD9", "B2"):
        sheet[name].comment = Comment(f"see {name}", "Mo")
    sheet.column_dimensions["B"].hidden = True
    path = rewritten(
        saved(tmp_path, book),
        "comment1.xml",
        lambda xml: xml.replace('ref="A40" authorId="0"', 'ref="Z" authorId="\u00b2"'),
    )
    found = read(path)
    assert "Berth: N1 | Fee EUR: 310 [comment by Mo on D2: see D2]" in lines(found)
    assert sorted(lines(found)[-2:]) == ["[comment by Mo on XFD9: see XFD9]", "[comment on Z: see A40]"]
    assert [(each.state, each.count) for each in found.parts if each.kind == "comments"] == [
        (PartState.LEFT_OUT, 2),
        (PartState.READ, 4),
    ]
