"""Contradictions of a bucket: in its documents, between them and with the model, with their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app import services, state
from app.components.controls import draw_address_choice, draw_button, draw_exports
from app.components.shell import plain
from app.components.table import Row, column, draw_table, row
from app.presenting.wording import counted
from app.views.matrix.sides import (
    BETWEEN,
    LOOK,
    OF_MODEL,
    SORTS,
    STATES,
    ShownContradiction,
    ShownSide,
    around,
    between_documents,
    of_model,
)
from core.domain.fields import Quote
from core.domain.matrix import MatrixColumn
from core.domain.wire.contradictions import HEADS
from core.spreadsheet import sheet

CELLS, CONTRADICTIONS = "Cells", "Contradictions"
"""Parts of the page, as its switch names them."""

PART = 100
_HEIGHT = 300  # px, where one stands open below
_ABREAST = 3  # sides
_ORDERS: dict[str, Callable[[ShownContradiction], str]] = {
    "thing": lambda each: each.thing.casefold(),
    "about": lambda each: each.title.casefold(),
    "values": lambda each: each.values.casefold(),
    "state": lambda each: each.state,
    "documents": lambda each: each.documents.casefold(),
    "resolution": lambda each: each.resolution.casefold(),
}


def draw_contradictions(bucket: str, columns: Sequence[MatrixColumn]) -> None:
    """Filters, table and the one that is open; the address carries them."""
    with st.spinner("Holding documents against one another", show_time=True):
        found, is_whole = _read(bucket, columns)
    if not found:
        st.info(
            "No document of this bucket contradicts another, as far as its fields and tables are read. "
            "Compared are documents of one thing: agreements of the same parties and name, invoices of one "
            "number, datasheets and manuals of one model, rows of one code."
        )
        return
    _draw_filters(found)
    chosen = _chosen(found)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(len(chosen), 'contradiction')}** of {len(found):,}", width="content")
        make = partial(_file, chosen, bucket)
        draw_exports("contradictions", f"contradictions-{bucket}", make, "Download all that fit")
        if not is_whole:
            st.caption("There are more: documents behind these were left out.", width="content")
    _draw_table(chosen)
    ids = [each.id for each in chosen]
    opened = state.from_address("open")
    if opened in ids:
        _draw_one(chosen[ids.index(opened)], ids)
    else:
        st.caption("Choose a row to see both sides. Arrows walk the rows, Enter opens; then N and P step on.")


def _read(bucket: str, columns: Sequence[MatrixColumn]) -> tuple[list[ShownContradiction], bool]:
    session = services.session()
    report = session.matrix.contradictions(bucket)
    titles = {each.name: each.title for each in columns}
    between = list(between_documents(report.contradictions, frozenset(titles)))
    model = of_model(session.model_cells.contradictions(bucket), titles)
    at = next((n for n, each in enumerate(between) if each.state != "open"), len(between))
    return [*between[:at], *model, *between[at:]], report.is_whole


def _draw_filters(found: Sequence[ShownContradiction]) -> None:
    abouts = dict(sorted({each.about: each.title for each in found}.items(), key=lambda each: each[1]))
    sorts = {name: f"{title}{_count(found, name)}" for name, title in SORTS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom", key="contradiction-filters"):
        draw_address_choice("Kind", "sort_of", sorts, 190, "contradiction-sort", "open", "part")
        draw_address_choice("State", "state", STATES, 140, "contradiction-state", "open", "part")
        draw_address_choice(
            "About", "about", {"": "Every field", **abouts}, 220, "contradiction-about", "open", "part"
        )
        st.text_input(
            "Find", key="words", bind="query-params", placeholder="Name, value", type="search", width=220
        )


def _count(found: Sequence[ShownContradiction], sort: str) -> str:
    return f" ({sum(each.sort == sort for each in found):,})" if sort in (BETWEEN, OF_MODEL) else ""


def _chosen(found: Sequence[ShownContradiction]) -> list[ShownContradiction]:
    wanted = [state.from_address(name) for name in ("sort_of", "state", "about")]
    chosen = [
        each
        for each in found
        if all(one in ("", own) for one, own in zip(wanted, (each.sort, each.state, each.about), strict=True))
        and each.has(state.from_address("words"))
    ]
    by, falls = _order()
    return sorted(chosen, key=_ORDERS[by], reverse=falls) if by else chosen


def _order() -> tuple[str, bool]:
    """The column that it is ordered by, and whether it falls; "" for open ones first, as they were found."""
    by, _, way = state.from_address("order").partition(" ")
    return (by if by in _ORDERS else ""), way == "falling"


def _sort(key: str, falls: bool) -> None:
    state.to_address(order=f"{key} falling" if falls else key, part=None)


def _file(chosen: Sequence[ShownContradiction], bucket: str, kind: str) -> bytes:
    return sheet(kind, HEADS, [line for each in chosen for line in each.lines], [("Bucket", bucket)])


def _draw_table(chosen: Sequence[ShownContradiction]) -> None:
    part = max(1, int(asked)) if (asked := state.from_address("part")).isdecimal() else 1
    first = (part - 1) * PART
    draw_table(
        "contradictions-table",
        "contradictions",
        "Contradictions",
        [
            column("thing", "Of", 300, "thing"),
            column("about", "What", 150, "about"),
            column("values", "Values", 260, "values", kind="words"),
            column("state", "State", 140, "state", kind="state"),
            column("documents", "Documents", 300, "documents", kind="words"),
            column("resolution", "Resolved by", 240, "resolution", kind="words"),
        ],
        [_row(each) for each in chosen[first : first + PART]],
        first=first + 1,
        total=len(chosen),
        size=PART,
        order=_order(),
        opened=state.from_address("open"),
        most=_HEIGHT if state.from_address("open") else None,
        only_filled=True,
        open=lambda sent: state.to_address(open=str(sent["id"])),
        part=lambda sent: state.to_address(part=int(sent["n"])),
        sort=lambda sent: _sort(str(sent["key"]), bool(sent["descending"])),
    )


def _row(each: ShownContradiction) -> Row:
    cells = {
        "thing": each.thing,
        "about": each.title,
        "values": each.values,
        "state": STATES[each.state] if each.sort == BETWEEN else "With the model",
        "resolution": each.resolution,
        "documents": each.documents if each.sort == BETWEEN else each.thing,
    }
    return row(each.id, cells, LOOK[each.state], each.resolution)


def _draw_one(each: ShownContradiction, ids: Sequence[str]) -> None:
    at = ids.index(each.id)
    with st.container(key="contradiction"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(f"{plain(each.title)}: {plain(each.thing)}", anchor=False)
            for label, key, to in (("Previous", "p", at - 1), ("Next", "n", at + 1)):
                is_there = 0 <= to < len(ids)
                draw_button(
                    label,
                    _open,
                    ids[to] if is_there else each.id,
                    key=f"contradiction-{label.lower()}",
                    disabled=not is_there,
                    shortcut=key,
                )
        if each.resolution:
            st.success(plain(f"{each.resolution}: what it states holds."), icon=":material/check_circle:")
        for start in range(0, len(each.sides), _ABREAST):
            some = each.sides[start : start + _ABREAST]
            for number, (place, side) in enumerate(zip(st.columns(len(some)), some, strict=True)):
                with place, st.container(border=True):
                    _draw_side(side, f"{start + number}", is_of_model=each.sort == OF_MODEL)


def _draw_side(side: ShownSide, number: str, *, is_of_model: bool) -> None:
    st.markdown(f"**{plain(side.value)}**" + ("" if side.is_fact else " :small[best guess, undecided]"))
    if side.quote is not None:
        before, after = around(_page(side, side.quote), side.quote) if side.version else ("", "")
        parts = (" ".join(each.split()) for each in (before, side.words, after))
        said = [plain(each) for each in parts]
        st.markdown(f"\u201c{said[0]} **{said[1]}** {said[2]}\u201d")
    st.caption(plain(side.who) + (f", from {side.since}" if side.since else ""))
    with st.container(horizontal=True):
        st.link_button("See the place", side.address, icon=":material/find_in_page:")
        if side.cell:
            draw_button("Open the cell", _to_cell, side.cell, is_of_model, icon="rule", key=f"side-{number}")


def _page(side: ShownSide, quote: Quote) -> str:
    documents = services.session().documents
    return documents.page(side.document, side.version, quote.span.page_no).text


def _open(id: str) -> None:
    state.to_address(open=id)


def _to_cell(cell: str, is_of_model: bool) -> None:
    """Show the cell in the matrix: in the work list of the model's contradictions, where it is one."""
    work = {"mode": "work", "of": "contradicted"} if is_of_model else {"mode": None, "of": None}
    state.set_widget("part-of-matrix", CELLS)
    state.show_in_matrix(cell=cell, where=None, **work)
