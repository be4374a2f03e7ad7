"""Files whose name the bucket has with other contents: a person says what each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import get_args

import streamlit as st

from app import services, state
from app.components.shell import plain
from app.presenting.wording import counted
from app.running.uploads import StagedFile
from core.domain.job import SameName, SameNameChoice

WORDS: dict[SameNameChoice, str] = {"version": "New version", "other": "Another document"}
MOST_SHOWN = 40


def draw_same_names(
    batch: str, files: Sequence[StagedFile], buckets: Sequence[str]
) -> dict[str, SameNameChoice]:
    """The files with a choice each; by name what was chosen, which is by likeness where nobody chose.

    buckets: of each file.
    """
    found = _same_names(batch, files, buckets)
    if not found:
        return {}
    known = f"{counted(len(found), 'file has', 'files have')} a name that is there with other contents"
    with st.container(border=True, key="same-names"):
        st.markdown(f"**{known}.** What {'is it' if len(found) == 1 else 'are they'}?")
        for at, each in enumerate(found[:MOST_SHOWN]):
            with st.container(horizontal=True, vertical_alignment="center", key=f"same-{at}"):
                st.segmented_control(
                    f"What {each.name} is",
                    list(get_args(SameNameChoice)),
                    default=_likely(each),
                    required=True,
                    key=_key(batch, each),
                    format_func=lambda choice: WORDS[choice],
                    label_visibility="collapsed",
                )
                st.markdown(f"{plain(each.name)}  \n:small[{_likeness(each)}]", width="content")
        if len(found) > MOST_SHOWN:
            more = counted(len(found) - MOST_SHOWN, "file is", "files are")
            st.caption(f"{more} taken for a new version where the text is alike, else for another document.")
    return {each.name: state.widget(_key(batch, each)) or _likely(each) for each in found}


def _same_names(batch: str, files: Sequence[StagedFile], buckets: Sequence[str]) -> list[SameName]:
    """They are looked for once for a batch as it is: each of them is read for that."""
    asked = (batch, tuple(zip(files, buckets, strict=True)))
    kept = state.same_names()
    if kept is None or kept[0] != asked:
        folder, documents = services.staging().folder(batch), services.session().documents
        found: list[SameName] = []
        with st.spinner("Looking for names that are known"):
            placed = sorted(zip(buckets, files, strict=True), key=lambda pair: pair[0])
            for bucket, some in groupby(placed, key=lambda pair: pair[0]):
                names = [file.name for _, file in some]
                found += documents.same_names([folder / name for name in names], names, bucket=bucket)
        kept = (asked, found)
        state.same_names.set(kept)
    return list(kept[1])


def _key(batch: str, each: SameName) -> str:
    return f"same-name-{batch}-{each.name}"


def _likely(each: SameName) -> SameNameChoice:
    return "version" if each.is_alike else "other"


def _likeness(each: SameName) -> str:
    document = plain(each.document.name)
    if each.likeness is None:
        return f"“{document}” is there; how alike they are cannot be told"
    if each.likeness < 0.01:
        return f"“{document}” is there and has nothing in common with it"
    return f"“{document}” is there and has {each.likeness:.0%} of the text in common with it".replace(
        "%", " %"
    )
