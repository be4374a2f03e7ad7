"""Fields and form controls: what they show. Their codes, lists and placeholders are no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.ingest.parse.word.elements import OFF, W, number, switch, value
from core.text.marks import tick

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_KINDS = ("dropDownList", "comboBox", "date", "text")


@dataclass(slots=True)
class WordField:
    """A field that is being read. start: where its result begins; form: its w:ffData, of older forms."""

    start: int
    form: Any = None
    code: str = ""
    is_result: bool = False

    @property
    def name(self) -> str:
        """The first word of its code: "REF"."""
        return (self.code.split() or [""])[0].upper()

    @property
    def is_form(self) -> bool:
        """True of a field that people fill in."""
        return self.form is not None

    def form_text(self, shown: str) -> str | None:
        """What a form field shows; None where that is its result as it stands."""
        if self.form is None:
            return None
        box = self.form.find(f"{W}checkBox")
        if box is not None:
            is_ticked = switch(box, "checked")
            return tick(bool(switch(box, "default") if is_ticked is None else is_ticked))
        choices = self.form.find(f"{W}ddList")
        if choices is not None:
            return _with(shown, _chosen(choices))
        return None if shown.strip() else value(self.form, "textInput/default")


def _chosen(choices: Any) -> str:
    entries = [each.get(f"{W}val", "") for each in choices.iterfind(f"{W}listEntry")]
    at = number(value(choices, "result") or value(choices, "default", "0"))
    return entries[at] if 0 <= at < len(entries) else ""


def _with(shown: str, chosen: str) -> str:
    """Both where they differ: the item that is chosen, and the words that stand there."""
    return chosen if shown.strip() in ("", chosen.strip()) else f"{shown} ({chosen})" if chosen else shown


def control_text(control: Any) -> str | None:
    """What a content control shows: "" for its content as it stands; None where people fill in nothing."""
    properties = control.find(f"{W}sdtPr")
    if properties is None:
        return None
    box = properties.find(f"{_W14}checkbox")
    if box is not None:
        state = box.find(f"{_W14}checked")
        return tick(state is not None and state.get(f"{_W14}val", "1") not in OFF)
    if not any(properties.find(W + kind) is not None for kind in _KINDS):
        return None
    content = control.find(f"{W}sdtContent")
    if content is not None and any((each.text or "").strip() for each in content.iter(f"{W}t")):
        return ""
    for kind in _KINDS[:2]:
        choices = properties.find(W + kind)
        last = choices.get(f"{W}lastValue") if choices is not None else None
        for each in choices.iterfind(f"{W}listItem") if last else ():
            if each.get(f"{W}value") == last:
                return str(each.get(f"{W}displayText") or last)
    return ""
