"""Which words of a question were put in other words before it was read, so that the plan can say so."""

from __future__ import annotations

from difflib import SequenceMatcher

from core.plan.language.pieces import stems


def rewordings(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """(as written, as read) of the words that differ, in the order of the question; as read may be ""."""
    if before == after:
        return ()
    old, new = before.split(), after.split()
    matcher = SequenceMatcher(
        None, [_key(word) for word in old], [_key(word) for word in new], autojunk=False
    )
    found = []
    for kind, start, end, to, until in matcher.get_opcodes():
        said, read = " ".join(old[start:end]), " ".join(new[to:until])
        if kind in ("replace", "delete") and stems(said) != stems(read):
            found.append((said.strip(" ,.;:?!"), read.strip(" ,.;:?!")))
    return tuple(each for each in found if each[0])


def _key(word: str) -> str:
    return word.casefold().strip(" ,.;:?!")
