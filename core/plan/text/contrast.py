"""A question and its opposite in one: "which contracts have a cap, and which do not?".

The second half says nothing itself: it is the first one, denied.
"""

from __future__ import annotations

import re

_VERBS = (
    "have|contain|include|mention|allow|permit|provide|require|state|specify|carry|show|name|cover|grant|give|set|"
    "cap|limit|exclude|restrict|list|hold|meet|use|offer|say|address|renew|expire|end"
)
_BEING = "are|were|can|(?-i:may|must|will)"  # not the month, nor a will
_CONTRAST = re.compile(
    rf"(?P<head>(?P<asking>which|what|how\s+many)(?:\s+\S+?){{1,5}}?)\s+"
    rf"(?:(?P<verb>{_VERBS})|(?P<being>{_BEING}))\s+(?P<rest>[^?;.]+?)\s*,?\s+(?:and|or|but)\s+"
    r"(?P=asking)(?:\s+(?:ones?|of\s+them|of\s+these|of\s+those|\w+s))?\s+"
    r"(?:do\s+not|don['’]?t|does\s+not|doesn['’]?t|are\s+not|aren['’]?t|were\s+not|weren['’]?t|cannot|can['’]?t|may\s+not|"
    r"must\s+not|will\s+not|won['’]?t|lack\s+(?:it|one|them|this|that|such)|miss\s+(?:it|one|them)|"
    r"have\s+(?:none|no\s+such\s+\w+)|are\s+without(?:\s+(?:it|one))?)\s*[?.!]*",
    re.IGNORECASE,
)


def contrasted(text: str) -> tuple[str, ...]:
    """The two questions that such a text is, the second one denied in full; () of any other text."""
    found = _CONTRAST.fullmatch(" ".join(text.split()))
    if found is None:
        return ()
    head, rest = found["head"], found["rest"]
    if found["verb"]:
        said, denied = found["verb"], f"do not {found['verb']}"
    else:
        said, denied = found["being"], f"{found['being']} not"
    return f"{head} {said} {rest}?", f"{head} {denied} {rest}?"
