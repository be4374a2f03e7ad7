"""Variants of the home: made, built beside what serves, compared with it, switched to and rolled back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence

from core.config.variants import PROMPTS, prompt_texts, with_variant
from core.domain.experiments.variant import (
    ENCODER,
    PROFILE,
    HomeVariant,
    Lag,
    Serving,
    VariantComparison,
    VariantState,
    VariantStatus,
)
from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.domain.trust.permission import Action
from core.encode.load import signature
from core.errors import JobError, UsageError
from core.evaluate.suite import Case
from core.jobs import queue
from core.jobs.kinds import COMPARE, VARIANT
from core.llm.prompts import edited_prompt, prompt_text
from core.workbench.evaluation.service import EvaluationService
from core.workbench.experiments.staleness import of_home, of_variant
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.work.variant_jobs import variant_jobs

_NAME = re.compile(r"(?!\d+\Z)[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}")
MOST_QUESTIONS = 1_000


class ExperimentService(Service):
    """Variants of the home, for admins."""

    def list(self) -> tuple[VariantState, ...]:
        """Every variant with how far it is, the home first."""
        self._permit(Action.CONFIGURE, "see experiments")
        variants = self._parts.records.variants
        now = variants.serving()
        jobs = variant_jobs(self._parts)
        return tuple(self._state(each, now, jobs[each.id]) for each in variants.list())

    @recorded("experiment.add", "name", "settings")
    def add(self, name: str, settings: Mapping[str, str]) -> HomeVariant:
        """Make a variant of settings that differ, by dotted name; `build` encodes for it.

        `prompt.write` and the like have the whole text of a prompt. Raises UsageError for a name, a setting
        or a prompt that cannot be, EncoderError for what is no encoder.
        """
        self._permit(Action.CONFIGURE, "make experiments")
        given = {key: value.strip() for key, value in settings.items() if value.strip()}
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"A variant cannot be called {name!r}.",
                next_step="Take up to 60 letters, digits, blanks, points and dashes, not digits alone.",
            )
        if not given:
            raise UsageError(
                "A variant without a setting would be the home itself.",
                next_step="Say what differs, such as encode.model.",
            )
        self._check_prompts(prompt_texts(given))
        changed = with_variant(self._parts.home_settings, given)
        encoder = signature(changed) if given.keys() & {ENCODER, PROFILE} else None
        return self._parts.records.variants.add(name, given, encoder, self._principal.user)

    @recorded("experiment.build", "name")
    def build(self, name: str) -> JobId:
        """Enqueue the encoding of what a variant lacks; live questions go on as they are."""
        self._permit(Action.CONFIGURE, "build experiments")
        return self._submit(self._parts.records.variants.get(name), is_switch=False)

    @recorded("experiment.switch", "name")
    def switch(self, name: str) -> JobId | None:
        """Let a variant answer from the next question on; questions that run end as they began.

        None: it does now. Else the job that encodes what it lacks, and switches then. Raises EncoderError,
        IndexUnavailableError where it could not answer.
        """
        self._permit(Action.CONFIGURE, "switch experiments")
        return self._switch(self._parts.records.variants.get(name))

    @recorded("experiment.rollback")
    def rollback(self) -> JobId | None:
        """Switch to the variant that served before; as `switch`. Raises UsageError where none did.

        It goes back along the switches: one roll-back after another never leads forward again.
        """
        self._permit(Action.CONFIGURE, "switch experiments")
        before = self._parts.records.variants.serving().before
        if before is None:
            raise UsageError(
                "No variant served before this one.", next_step="Switch to a variant by its name."
            )
        return self._switch(self._parts.records.variants.by_id(before), is_back=True)

    @recorded("experiment.remove", "name")
    def remove(self, name: str) -> None:
        """Forget a variant; its vectors and index are deleted within the hour. Raises UsageError."""
        self._permit(Action.CONFIGURE, "remove experiments")
        variant = self._parts.records.variants.get(name)
        for job in variant_jobs(self._parts)[variant.id]:
            if not job.state.is_ended:
                queue.cancel(self._parts.records, job.id)
        self._parts.records.variants.remove(variant)

    @recorded("experiment.compare", "left", "right")
    def compare(self, left: str, right: str, *, cases: tuple[Case, ...] = (), recent: int = 0) -> JobId:
        """Enqueue the same questions to two variants: those of a suite, or the last ones that were asked.

        Raises UsageError for a variant that is not built, or without a question.
        """
        self._permit(Action.CONFIGURE, "compare experiments")
        sides = [self._built(each) for each in (left, right)]
        if not cases and recent < 1:
            raise UsageError(
                "There is no question to ask.", next_step="Give a suite, or a number of questions."
            )
        payload = {
            "left": sides[0].id,
            "right": sides[1].id,
            "cases": [each.model_dump(mode="json") for each in cases[:MOST_QUESTIONS]],
            "recent": min(recent, MOST_QUESTIONS),
        }
        title = f"{sides[0].name} and {sides[1].name} compared"
        return queue.submit(self._parts.records, COMPARE, title, payload, user=self._principal.user)

    def follow(self, job: JobId, on_progress: Callable[[Job], None] | None = None) -> Job:
        """The job of a variant once it is done; run here where no worker lives. Raises JobError."""
        self._permit(Action.CONFIGURE, "build experiments")
        ended = self._writing.complete(job, on_progress)
        if ended.state is not JobState.DONE:
            raise JobError(
                f"{ended.title}: {ended.error or ended.state.value}",
                next_step=f"What is done stays, and what answers goes on. Then: groundwork jobs resume {job}",
            )
        return ended

    def comparison(self, job: JobId) -> VariantComparison | None:
        """Result of a comparison; None while it runs, and where it was forgotten."""
        self._permit(Action.CONFIGURE, "compare experiments")
        return self._parts.records.variants.comparison(job)

    def staleness(self) -> tuple[Lag, ...]:
        """Parts of the home as it answers that lag behind: vectors, index, fields."""
        self._permit(Action.CONFIGURE, "see what lags behind")
        return of_home(self._parts)

    @recorded("experiment.evaluate", "name", "suite", "with_model")
    def evaluate(self, name: str, suite: str, *, with_model: bool = False) -> str:
        """Begin a run of a suite by a variant, beside what serves; gives its id, for EvaluationService.

        Raises UsageError for a variant that is not built, a model that is not configured; NotFoundError.
        """
        self._permit(Action.CONFIGURE, "evaluate experiments")
        with contextlib.closing(self._parts.beside(self._built(name))) as other:
            return EvaluationService(other, self._principal).start(suite, with_model=with_model)

    def prompts(self) -> dict[str, str]:
        """Texts of the prompts that a variant may change, by dotted name; {} where no model is configured."""
        self._permit(Action.CONFIGURE, "see prompts")
        if not self._parts.models_of_home.settings.is_configured:
            return {}
        return {name: prompt_text(name.partition(".")[2]) for name in PROMPTS}

    def _built(self, name: str) -> HomeVariant:
        variant = self._parts.records.variants.get(name)
        if not self._parts.records.variants.is_whole(variant.vector_set):
            raise UsageError(f"The variant {variant.name!r} was not built.", next_step="Build it first.")
        return variant

    def _check_prompts(self, texts: Mapping[str, str]) -> None:
        if texts:
            self._parts.models_of_home.require()
        for name, text in texts.items():
            try:
                edited_prompt(name, text)
            except ValueError as error:
                step = "Keep each {{placeholder}} and '# system' and '# user' of the prompt that it replaces."
                raise UsageError(str(error), next_step=step) from error

    def _switch(self, variant: HomeVariant, *, is_back: bool = False) -> JobId | None:
        variants = self._parts.records.variants
        with contextlib.closing(self._parts.beside(variant)) as other:
            other.engines.require_stored_vectors_fit()
            if variants.is_whole(variant.vector_set):
                other.engines.passages.status()
                if variants.switch(variant, is_back=is_back):
                    return None
        return self._submit(variant, is_switch=True, is_back=is_back)

    def _submit(self, variant: HomeVariant, *, is_switch: bool, is_back: bool = False) -> JobId:
        running = [job for job in variant_jobs(self._parts)[variant.id] if not job.state.is_ended]
        if running:
            raise UsageError(
                f"The variant {variant.name!r} is being built already.",
                next_step="Wait for that job, or cancel it.",
            )
        payload = {"variant": variant.id, "switch": is_switch, "back": is_back}
        title = f"Variant {variant.name}, {'brought up and switched to' if is_switch else 'built'}"
        return queue.submit(self._parts.records, VARIANT, title, payload, user=self._principal.user)

    def _state(self, variant: HomeVariant, now: Serving, jobs: Sequence[Job]) -> VariantState:
        variants = self._parts.records.variants
        encoder, missing = variants.encoder(variant.vector_set), variants.missing(variant)
        uncut = variants.uncut(variant)
        return VariantState(
            variant=variant,
            status=self._status(variant, now, missing + uncut, jobs),
            is_before=now.before == variant.id,
            encoder=encoder.name if encoder else "",
            dimension=encoder.dimension if encoder else 0,
            passages=variants.count(variant),
            missing=missing,
            uncut=uncut,
            job=jobs[0] if jobs else None,
            lags=of_variant(self._parts, variant, (missing, uncut)),
        )

    def _status(self, variant: HomeVariant, now: Serving, missing: int, jobs: Sequence[Job]) -> VariantStatus:
        if now.variant.id == variant.id:
            return "live"
        if jobs and not jobs[0].state.is_ended:
            return "building"
        if not self._parts.records.variants.is_whole(variant.vector_set):
            return "failed" if jobs and jobs[0].state is JobState.FAILED else "waiting"
        return "behind" if missing else "ready"
