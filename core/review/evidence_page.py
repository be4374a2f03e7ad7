"""An answer with its evidence as one HTML page that needs nothing but the images beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from core.domain.answer import LEDGER_PARTS, Answer, Citation, Table
from core.domain.span import Box
from core.domain.trust.deed import AuditEntry

_AROUND = 400  # characters of text before and after a quote
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:"
_STYLE = """
:root{color-scheme:light dark}
body{max-width:820px;margin:2rem auto;padding:0 1rem;font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.5rem}h2{margin-top:2.2rem;font-size:1.15rem;border-bottom:1px solid #8886}h3{font-size:1rem}
table{border-collapse:collapse;font-size:.92rem}
td,th{padding:.25rem .6rem;border:1px solid #8886;text-align:left;vertical-align:top;overflow-wrap:anywhere}
.facts,figcaption,.faint{opacity:.78;font-size:.92rem}
figure{margin:1rem 0 2rem}.page{position:relative;border:1px solid #8886;background:#fff}
.page img{display:block;width:100%}.box{position:absolute;background:#ffd84d;mix-blend-mode:multiply}
blockquote{margin:.5rem 0;padding:.4rem .8rem;border-left:3px solid #d99a1e;white-space:pre-line;
overflow-wrap:anywhere}mark{background:#ffe07a;color:#1b2124}
.wrong{color:#b3261e;font-weight:600}a{color:inherit}
"""


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """A cited place with its page. image: path beside the HTML page, "" where there is none.

    holds: the stored version says there what was quoted. text: of the page, "" where it is gone.
    """

    citation: Citation
    image: str
    boxes: tuple[Box, ...]
    text: str
    holds: bool


def evidence_page(
    answer: Answer,
    places: Sequence[EvidencePlace],
    *,
    asker: str,
    asked_at: str,
    made: str,
    chain: str,
    audit: Sequence[AuditEntry],
    files: Iterable[str],
) -> str:
    """The HTML page. All text is escaped; nothing in it runs, and nothing is fetched but its images.

    made: when and by whom it was made, in words. chain: what the check of the audit chain found.
    """
    body = [
        f"<h1>{_text(answer.question)}</h1>",
        f'<p class="facts">Asked by {_text(asker)}, {_text(asked_at)} · {_text(answer.status.value)} · '
        f"confidence {answer.confidence:.2f} ({_text(answer.confidence_label.value)}) · state of the "
        f"collection {answer.data_version:,} · trace {_text(answer.trace_id)}</p>",
        *_answer(answer),
        "<h2>How it was worked out</h2>",
        *_plan(answer),
        f"<h2>Evidence ({len(places):,})</h2>",
        *(_place(each) for each in places),
        *([] if places else ["<p>This answer cites no place.</p>"]),
        "<h2>What was done</h2>",
        f"<p>{_text(chain)}</p>",
        _audit(audit),
        "<h2>Files</h2>",
        "<ul>",
        *(f'<li><a href="{escape(each, quote=True)}">{_text(each)}</a></li>' for each in files),
        "</ul>",
        f'<p class="faint">{_text(made)} Check the files with: sha256sum -c SHA256SUMS</p>',
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">'
        f"<title>{_text(answer.question)}</title><style>{_STYLE}</style></head><body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def _text(text: str) -> str:
    """The text as HTML shows it, character by character."""
    return escape(text, quote=True)


def _answer(answer: Answer, level: int = 2) -> Iterable[str]:
    if answer.parts:
        for part in answer.parts:
            yield f"<h{level}>{_text(part.question)}</h{level}>"
            yield from _answer(part, level + 1)
        return
    yield _prose(answer.text)
    if answer.table is not None and answer.table.rows:
        yield _table(answer.table)
    if answer.claims:
        yield f"<h{level}>Claims</h{level}><ol>"
        for claim in answer.claims:
            checks = ", ".join(f"{each.name} {'ok' if each.ok else 'failed'}" for each in claim.checks)
            cited = "".join(f' <a href="#c{each.n}">[{each.n}]</a>' for each in claim.citations)
            said = f"{claim.verdict.value}{': ' if checks else ''}{checks}"
            yield f'<li>{_prose(claim.text)}{cited} <span class="faint">{_text(said)}</span></li>'
        yield "</ol>"
    if answer.ledger is not None:
        counts = " + ".join(f"{getattr(answer.ledger, part):,} {part}" for part in LEDGER_PARTS)
        about = answer.ledger.about or answer.ledger.field
        yield f"<h{level}>Ledger</h{level}><p>{_text(about)}: {answer.ledger.scope:,} in scope = {counts}</p>"
        yield f"<p>{_text(answer.ledger.scope_said)}</p>" if answer.ledger.scope_said else ""
    conflicts = [f"{c.subject}, {c.field}: {' / '.join(map(str, c.values))}" for c in answer.conflicts]
    yield from _list("Gaps", answer.gaps, level)
    yield from _list("Conflicts", conflicts, level)
    yield from _list("Limits of this answer", [each.message for each in answer.degradations], level)
    yield from _list("Struck sentences", [f"{each.text} ({each.reason})" for each in answer.struck], level)


def _list(title: str, lines: Sequence[str], level: int) -> Iterable[str]:
    if lines:
        items = "".join(f"<li>{_text(each)}</li>" for each in lines)
        yield f"<h{level}>{title}</h{level}><ul>{items}</ul>"


def _prose(text: str) -> str:
    """Paragraphs of the answer's Markdown: bold words and citations are marked, all else is as written."""
    paragraphs = []
    for each in re.split(r"\n\s*\n", text.strip()):
        marked = re.sub(r"\*\*([^*\n]+)\*\*", r"<strong>\1</strong>", _text(each))
        marked = re.sub(r"\[(\d{1,4})\]", r'<a href="#c\1">[\1]</a>', marked)
        paragraphs.append(f"<p>{marked}</p>".replace("\n", "<br>"))
    return "".join(paragraphs)


def _table(table: Table) -> str:
    heads = "".join(f"<th>{_text(column.name)}</th>" for column in table.columns)
    rows = []
    for row in table.rows:
        cells = "".join(f"<td>{_text('' if cell is None else str(cell))}</td>" for cell in row)
        rows.append(f"<tr>{cells}</tr>")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _plan(answer: Answer) -> Iterable[str]:
    if answer.reading:
        yield f"<p>Read as: {_text(' · '.join(part.text for part in answer.reading))}</p>"
    nodes = [node for each in (answer, *answer.parts) for node in (each.plan or {}).get("nodes", ())]
    if not nodes:
        yield "<p>It had no plan.</p>"
        return
    yield "<ol>"
    for node in nodes:
        kind = f'<span class="faint">{_text(str(node.get("type")))}</span>'
        yield f"<li>{_text(str(node.get('purpose') or ''))} {kind}</li>"
    yield "</ol>"


def _place(place: EvidencePlace) -> str:
    at = place.citation
    said = (
        f"{at.title}, version {at.version}, page {at.page} ({at.source}), characters {at.start} to {at.end}"
    )
    checked = (
        "The stored version says this word for word."
        if place.holds
        else '<span class="wrong">The stored version could not be read, or does not say this.</span>'
    )
    before = place.text[max(0, at.start - _AROUND) : at.start] if place.holds else ""
    after = place.text[at.end : at.end + _AROUND] if place.holds else ""
    quoted = f"<blockquote>{_text(before)}<mark>{_text(at.quote)}</mark>{_text(after)}</blockquote>"
    image = ""
    if place.image:
        boxes = "".join(
            f'<span class="box" style="left:{100 * box.x0:.3f}%;top:{100 * box.y0:.3f}%;'
            f'width:{100 * (box.x1 - box.x0):.3f}%;height:{100 * (box.y1 - box.y0):.3f}%"></span>'
            for box in place.boxes
        )
        alt = _text(f"Page {at.page} of {at.title}")
        image = f'<div class="page"><img src="{escape(place.image, quote=True)}" alt="{alt}">{boxes}</div>'
    caption = f"<figcaption>[{at.n}] {_text(said)}. {checked}</figcaption>"
    return f'<figure id="c{at.n}">{caption}{quoted}{image}</figure>'


def _audit(entries: Sequence[AuditEntry]) -> str:
    if not entries:
        return "<p>No entry of the audit log is about this answer.</p>"
    heads = "".join(f"<th>{each}</th>" for each in ("Entry", "When", "Deed", "Who", "Outcome", "Hash"))
    rows = "".join(
        f"<tr><td>{each.sequence}</td><td>{each.at:%Y-%m-%d %H:%M:%S}</td><td>{_text(each.deed.name)}</td>"
        f"<td>{_text('(redacted)' if each.is_redacted else each.deed.account)}</td>"
        f"<td>{_text(each.deed.outcome)}</td><td>{_text(each.hash[:16])}…</td></tr>"
        for each in entries
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
