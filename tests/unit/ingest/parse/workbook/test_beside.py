"""What stands beside the cells of a sheet."""

from __future__ import annotations

from pathlib import Path

from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from tests.support.made_workbooks import harbour, lines, part, read, saved


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
