"""The errors that Groundwork raises, and the codes that a person sees.

GroundworkError
├── UsageError            wrong settings, wrong arguments, a home that cannot be used   (exit 2)
│   ├── SettingsError     a key or value in groundwork.toml or the environment
│   ├── ChoiceError       a choice on the Settings page that cannot be; names the setting
│   ├── PluginError       a plug-in that is not there, or was left out; says which and why
│   ├── HomeBusyError     another process owns the write side of this home
│   └── PlanError         a plan that cannot run; holds a problem for each thing that is wrong
├── RefusedError          a policy or a guardrail said no                               (exit 4)
│   └── PolicyFileError   a policy file cannot be read, so that nothing is allowed; names file and line
├── SignInError           nobody is signed in, or wrongly                        (exit 4)
├── ThrottledError        too many tries; says when the next one counts
├── NotFoundError         an id that names nothing the caller may see
├── ConflictError         somebody else changed it first; names who and when
├── InputError            a document or file that cannot be read; carries its name
├── ChildStartError       a parser or extractor process does not start, so nothing can be read
├── QuestionError         E001: a question that is empty, too long or too vague
├── RecordsError          the SQL store failed or has another schema
│   └── RecordsUnavailableError  its server cannot be reached now, or broke off
├── EncoderError          the encoder cannot load, or does not fit the stored vectors
├── IndexUnavailableError E003: the search engine cannot answer
├── RerankError           a reranker gives no scores; the order of the search stays
├── DeadlineError         E005: a stage ran out of time
├── LlmError              E004: a language model gave nothing that can be used; `outcome` says how
└── JobError              a durable job failed or cannot be changed

Codes: E001 too vague · E002 no results · E003 index unavailable · E004 synthesis failed ·
E005 timeout · E006 low confidence. E002, E004 and E006 are states of an answer, not exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar


class GroundworkError(Exception):
    """Base of all errors; `str(error)` is one sentence on what happened, `next_step` one on what to do."""

    code: ClassVar[str | None] = None
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    @property
    def explanation(self) -> str:
        """What happened, and what to do."""
        return f"{self.message} {self.next_step}".strip()


class UsageError(GroundworkError):
    """The caller asked for something that cannot be asked this way."""


class SettingsError(UsageError):
    """A settings key or value is unknown or contradicts another."""


class ChoiceError(UsageError):
    """A setting cannot be what was chosen on a page; `setting` names it, as `base_url`."""

    def __init__(self, message: str, *, setting: str, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.setting = setting


class PluginError(UsageError):
    """A plug-in is not installed, or was left out."""


class HomeBusyError(UsageError):
    """Another live process owns the write side of this home."""

    retryable = True


class PlanError(UsageError):
    """A plan cannot run. problems: (node, message, next step) for each thing that is wrong."""

    def __init__(self, message: str, *, next_step: str = "", problems: Sequence[object] = ()) -> None:
        super().__init__(message, next_step=next_step)
        self.problems = tuple(problems)


class RefusedError(GroundworkError):
    """The principal may not do this; `lacking` names the roles with which they might."""

    def __init__(self, message: str, *, next_step: str = "", lacking: Sequence[str] = ()) -> None:
        super().__init__(message, next_step=next_step)
        self.lacking = tuple(lacking)


class PolicyFileError(RefusedError):
    """A policy file is broken, so that nobody may do anything; `file` and `line` say where."""

    def __init__(self, message: str, *, file: str, line: int, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.file = file
        self.line = line


class NotFoundError(GroundworkError):
    """The id names nothing that the principal may see."""


class ThrottledError(GroundworkError):
    """Too many tries; `retry_after_s` says when the next one counts."""

    retryable = True

    def __init__(self, message: str, *, retry_after_s: int, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.retry_after_s = retry_after_s


class SignInError(GroundworkError):
    """Nobody is signed in, or not as anybody known; says no more than that."""


class ConflictError(GroundworkError):
    """Somebody else changed the same thing since it was looked at; `user` and `at` say who and when."""

    def __init__(self, message: str, *, user: str, at: datetime, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.user = user
        self.at = at


class InputError(GroundworkError):
    """A file cannot be turned into a document; `source` names it.

    The message is the reason that is listed beside the file, without the file's name.
    """

    def __init__(self, message: str, *, source: str, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.source = source


class ChildStartError(GroundworkError):
    """A child process that reads or extracts does not start at all."""


class QuestionError(GroundworkError):
    """The question cannot be answered as it was put."""

    code = "E001"


class RecordsError(GroundworkError):
    """The SQL store is unreachable, of another schema, or refused a write."""


class RecordsUnavailableError(RecordsError):
    """The server of the SQL store cannot be reached now, or broke off; nothing of that write was kept."""

    retryable = True


class EncoderError(GroundworkError):
    """The encoder cannot load, or its vectors do not fit those already stored."""


class IndexUnavailableError(GroundworkError):
    """The search engine cannot answer now."""

    code = "E003"
    retryable = True


class RerankError(GroundworkError):
    """A reranker gives no scores now; the order of the search stays."""


class DeadlineError(GroundworkError):
    """A stage did not finish within its time."""

    code = "E005"
    retryable = True


class LlmError(GroundworkError):
    """A language model gave nothing that can be used; `outcome` says how it ended, as in ModelOutcome.

    retry_after_s: as the server asked for; 0 where it did not. is_lasting: the same request fails again.
    """

    code = "E004"

    def __init__(
        self,
        message: str,
        *,
        outcome: str,
        next_step: str = "",
        retry_after_s: float = 0.0,
        is_lasting: bool = False,
    ) -> None:
        super().__init__(message, next_step=next_step)
        self.outcome = outcome
        self.retry_after_s = retry_after_s
        self.is_lasting = is_lasting


class JobError(GroundworkError):
    """A job failed, or cannot be changed from the state that it is in."""
