"""An answer as text that stands on its own outside the product: with its sources and its caveats."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.answer.value import show_calculation
from core.domain.answer import Answer, Table
from core.domain.evidence.change import EvidenceStanding
from core.text.markdown import escape

Standings = Callable[[Answer], Mapping[int, EvidenceStanding]]
"""How the citations of an answer stand now, by number."""


def answer_markdown(answer: Answer, standings: Standings = lambda _: {}) -> str:
    """Question, its reading, answer, numbered quotes with document and page, confidence, gaps; Markdown.

    Of several questions in one each stands for itself, behind the whole. A quote whose page has changed since
    says so.
    """
    lines = [f"# {escape(answer.question)}", ""]
    if answer.parts:
        return "\n".join([*lines, *(_below(part, standings) for part in answer.parts)])
    if answer.reading:
        lines += [f"Read as: {' · '.join(escape(part.text) for part in answer.reading)}", ""]
    lines += [answer.text, ""]
    if answer.table:
        lines += [*_table(answer.table), ""]
    if answer.calculations:
        lines += [*(f"- {escape(show_calculation(each))}" for each in answer.calculations), ""]
    if answer.estimate is not None:
        found = answer.estimate
        lines += [f"About {found.value:,} ({found.low:,} to {found.high:,}) with what is not sure.", ""]
    if answer.citations:
        lines += ["## Citations", ""]
        found_now = standings(answer)
        for c in answer.citations:
            now = found_now.get(c.n)
            lines.append(
                f"{c.n}. {escape(c.title)}, page {c.page} ({escape(c.source)}, version {c.version}): "
                f'"{escape(c.quote)}"' + (f" {escape(now.note)}" if now is not None and now.is_other else "")
            )
        lines.append("")
    for title, entries in (
        ("Gaps", answer.gaps),
        (
            "Conflicts",
            tuple(f"{c.subject}, {c.field}: {'; '.join(map(str, c.values))}" for c in answer.conflicts),
        ),
        ("Limits of this answer", tuple(f"{d.code}: {d.message}" for d in answer.degradations)),
    ):
        if entries:
            lines += [f"## {title}", "", *(f"- {escape(entry)}" for entry in entries), ""]
    lines.append(
        f"Confidence: {answer.confidence_label.value.lower()} ({answer.confidence:.2f}). "
        f"Data version {answer.data_version}. Trace {answer.trace_id}."
    )
    return "\n".join(lines) + "\n"


def _below(part: Answer, standings: Standings) -> str:
    """One of several answers, its headings a level lower."""
    return "\n".join(
        f"#{line}" if line.startswith("#") else line for line in answer_markdown(part, standings).splitlines()
    )


def _table(table: Table) -> list[str]:
    head = "| " + " | ".join(_cell(column.name) for column in table.columns) + " |"
    rule = "|" + " --- |" * len(table.columns)
    return [head, rule, *("| " + " | ".join(_cell(v) for v in row) + " |" for row in table.rows)]


def _cell(value: object) -> str:
    return escape("" if value is None else str(value))
