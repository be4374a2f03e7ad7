"""Plans as the workbench offers them: made for a question, checked, run, and answered."""

from __future__ import annotations

from core.agent.computed_answer import Structured
from core.domain.answer import Answer, Route
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import UsageError
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import Problem, check, validate
from core.records.database.visibility import Visibility
from core.retrieval.tools import Tools
from core.workbench.plan_runs import PlanRunCalls
from core.workbench.wiring import Parts


class PlanCalls(PlanRunCalls):
    """What Workbench offers for plans. What a principal may not see is unknown to plans, too."""

    _parts: Parts

    def plan(
        self, question: str, principal: Principal = LOCAL_ADMIN, *, buckets: tuple[str, ...] = ()
    ) -> Plan | Clarify:
        """What would be done for a question, estimated; nothing runs."""
        planned = self._structured.plan(question, Visibility.of(principal), buckets)
        return planned.plan

    def plan_problems(self, plan: Plan, principal: Principal = LOCAL_ADMIN) -> tuple[Problem, ...]:
        """Why a plan cannot run; () where it can."""
        return validate(plan, self._parts.catalogues.load(Visibility.of(principal)))

    def run(self, plan: Plan, principal: Principal = LOCAL_ADMIN) -> Answer:
        """Run a plan, also one that was edited, and answer from it. Raises PlanError where it cannot run."""
        check(plan, self._parts.catalogues.load(Visibility.of(principal)))
        if plan.route is not Route.STRUCTURED:
            raise UsageError(
                "This plan searches text, and is run by asking its question.",
                next_step=f"Ask: {plan.question}",
            )
        return self.answer_to(plan, principal)

    def tools(self, principal: Principal = LOCAL_ADMIN) -> Tools:
        """The tools that a model may call for this principal, with their schemas."""
        return Tools(self._structured.operators, self._parts.records.documents, Visibility.of(principal))

    @property
    def _structured(self) -> Structured:
        return self._parts.structured
