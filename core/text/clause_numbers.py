"""Numbers of clauses as patterns, for all that reads them in texts, titles and questions."""

from __future__ import annotations

DECIMAL = r"\d{1,2}(?:\.\d{1,3}){0,4}"
"""`3`, `3.2`, `3.2.1` at the head of a line. Three digits are an address or a quantity: "450 Broadway"."""

DOTTED = r"\d{1,3}(?:\.\d{1,3})+"
"""`3.2`, and no bare `3`."""

ROMAN = r"[IVXLC]{1,7}"
"""`IV`; a letter of these is a number, too."""

WORDED = rf"{DOTTED}|\d{{1,3}}|{ROMAN}"
"""Any of them behind the word for what it numbers."""

ITEM = r"\([a-zA-Z]{1,4}\)"
"""`(a)`, `(iii)`."""

DIVISION = r"(?:ARTICLE|Article|SECTION|Section)"
"""Words before the numbers of a contract's own divisions, as they stand at their head."""
