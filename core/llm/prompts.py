"""Prompts as files with a version, filled with values; fences around text that is only data."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from pathlib import Path

from core.domain.llm.use import ModelRole
from core.llm.base import Message, Prompt

FOLDER = Path(__file__).parent / "prompts"

_FRONT = re.compile(r"---\nversion: (?P<version>\d+)\n---\n")
_SECTION = re.compile(r"^# (system|user)\n", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_OPTIONAL = re.compile(r"^\{\{\?([a-z_]+)\}\}([^\n]*\n?)", re.MULTILINE)
_KEY = secrets.token_bytes(16)
_BLOCK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt before it is filled. sections: role and text of each message. mark: see Prompt."""

    name: str
    version: int
    sections: tuple[tuple[str, str], ...]
    mark: str = ""

    @property
    def placeholders(self) -> frozenset[str]:
        """The values that it wants."""
        texts = [text for _, text in self.sections]
        optional = (match[1] for text in texts for match in _OPTIONAL.finditer(text))
        return frozenset((*optional, *(name for text in texts for name in _PLACEHOLDER.findall(text))))


def parse_prompt(name: str, text: str) -> PromptFile:
    """A prompt from the text of its file: front matter with a version, then `# system` and `# user`.

    Raises ValueError where it is not of that form.
    """
    front = _FRONT.match(text)
    if front is None:
        raise ValueError(f"The prompt {name!r} must begin with '---', 'version: N', '---'.")
    before, *parts = _SECTION.split(text[front.end() :])
    if before.strip() or len(parts) < 2:
        raise ValueError(f"The prompt {name!r} must consist of sections '# system' and '# user'.")
    sections = tuple((parts[at], parts[at + 1].strip()) for at in range(0, len(parts), 2))
    return PromptFile(name, int(front["version"]), sections)


@lru_cache(maxsize=64)
def read_prompt(name: str) -> PromptFile:
    """The prompt `NAME.md` of the folder of prompts. Raises FileNotFoundError, ValueError."""
    return parse_prompt(name, (FOLDER / f"{name}.md").read_text("utf-8"))


def fill(prompt: PromptFile, role: ModelRole, **values: str) -> Prompt:
    """A prompt with `{{name}}` replaced by values, in one pass: a value is never read as a placeholder.

    A line that begins with `{{?name}}` is there only where that value is not empty.
    Raises ValueError where a value is missing, or none asks for it.
    """
    if set(values) != prompt.placeholders:
        wrong = sorted(set(values) ^ prompt.placeholders)
        raise ValueError(f"The prompt {prompt.name!r} and its values differ in: {', '.join(wrong)}.")
    messages = [
        Message(
            "system" if kind == "system" else "user",
            _PLACEHOLDER.sub(
                lambda found: values[found[1]],
                _OPTIONAL.sub(lambda line: line[2] if values[line[1]] else "", text),
            ),
        )
        for kind, text in prompt.sections
    ]
    return Prompt(role, prompt.name, prompt.version, tuple(messages), values=values, mark=prompt.mark)


def load_prompt(name: str, role: ModelRole, **values: str) -> Prompt:
    """The prompt `NAME.md`, filled. Raises FileNotFoundError, ValueError.

    >>> load_prompt("write", ModelRole.WRITE, question=fence("q", question), evidence=blocks)
    """
    return fill(read_prompt(name), role, **values)


def prompt_text(name: str) -> str:
    """The text of a prompt as it is edited: its file without the version. Raises FileNotFoundError."""
    return _FRONT.sub("", (FOLDER / f"{name}.md").read_text("utf-8"), count=1)


def edited_prompt(name: str, text: str) -> PromptFile:
    """Another text for a prompt of the program, with the same placeholders. Raises ValueError."""
    own = read_prompt(name)
    body = _FRONT.sub("", text.replace("\r\n", "\n"), count=1)
    edited = parse_prompt(name, f"---\nversion: {own.version}\n---\n{body.lstrip()}")
    if edited.placeholders != own.placeholders:
        missing, other = own.placeholders - edited.placeholders, edited.placeholders - own.placeholders
        wrong = [f"lacks {{{{{each}}}}}" for each in sorted(missing)]
        wrong += [f"has {{{{{each}}}}}, which nothing fills" for each in sorted(other)]
        raise ValueError(f"The prompt {name!r} {', '.join(wrong)}.")
    return replace(edited, mark=f"+{blake2b(body.strip().encode(), digest_size=4).hexdigest()}")


def as_edited(prompt: Prompt, prompts: Mapping[str, PromptFile]) -> Prompt:
    """A filled prompt by its edited text, where there is one: with the values that it has, masks and all."""
    edited = prompts.get(prompt.name)
    if edited is None:
        return prompt
    return replace(fill(edited, prompt.role, **prompt.values), reply_tokens=prompt.reply_tokens)


def day_told(day: date) -> str:
    """A day as prompts have it: `Monday, 2026-11-30`."""
    return f"{day:%A}, {day.isoformat()}"


def fence(id: str, text: str, token: Callable[[], str] = lambda: secrets.token_hex(6)) -> str:
    """A text as a block of data with an id. Its tag is made anew each time, and the text cannot close it.

    id: letters, digits, `_.:-`; else ValueError. A text that holds the tag gets another one.

    >>> fence("e1", "Rent is due monthly.")
    <data-3f09c2d1a7be id="e1">
    Rent is due monthly.
    </data-3f09c2d1a7be>
    """
    if not _BLOCK_ID.fullmatch(id):
        raise ValueError(f"{id!r} cannot be the id of a block.")
    tag = token()
    while tag in text:
        tag = token()
    return f'<data-{tag} id="{id}">\n{text}\n</data-{tag}>'


def steady_fence(id: str, text: str) -> str:
    """As `fence`, with a tag that is the same for the same text as long as the program runs, and that nobody
    outside can know: prompts that begin with it begin alike, and servers can keep what they made of that.
    """
    numbered = (f"{at} {text}".encode(errors="surrogatepass") for at in count())
    tags = (blake2b(each, key=_KEY, digest_size=6).hexdigest() for each in numbered)
    return fence(id, text, tags.__next__)
