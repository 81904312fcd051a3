"""The extractor as a LangGraph graph: batch, extract, check, reconcile, write, settle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from memory_middleware.graph.injecting import injecting
from memory_middleware.remember.pipeline import ExtractionPipeline, ExtractionReport, Work
from memory_middleware.schemas.scope import Scope

__all__ = ["ExtractorGraph", "ExtractorState"]

_STEPS = ("extract", "check", "reconcile", "write", "settle")
_MOST_REPORTS = 1000
# However short the limit of the graph around it is: batches end by themselves.
_ENDLESS: RunnableConfig = {"recursion_limit": 100_000}


class ExtractorState(TypedDict, total=False):
    """The state of the graph: plain data, and no word of what was said.

    Attributes:
        owner_id: Whose rounds.
        thread_id: Of which thread.
        force: Whether fewer rounds than a batch will do.
        patient: Whether a batch that failed a moment ago is left alone for now.
        run_id: The batch that was claimed, if any.
        reports: What came of the batches so far, as counts and ids.
    """

    owner_id: str
    thread_id: str
    force: bool
    patient: bool
    run_id: str | None
    reports: list[dict[str, Any]]


class ExtractorGraph:
    """Runs batches through the steps, one after the other until none is left.

    What is being worked on stays with this object; the state of the graph has its id only, so that streams and
    traces tell counts and no content.

    Args:
        pipeline: The steps.

    Attributes:
        graph: The compiled graph, to be drawn or used as a node. It has no checkpointer of its own.
    """

    def __init__(self, pipeline: ExtractionPipeline) -> None:
        self._pipeline = pipeline
        self._work: dict[str, Work] = {}
        self._done: dict[str, ExtractionReport] = {}
        self.graph: CompiledStateGraph[Any, Any, Any, Any] = self._built()

    def run(self, scope: Scope, *, force: bool = True, patient: bool = False) -> list[ExtractionReport]:
        """Extract what waits in the scope's thread, and tell what came of it.

        Args:
            scope: Whose, in which thread.
            force: Whether rounds that do not fill a batch are read too.
            patient: Whether a batch that failed a moment ago is left alone for now.
        """
        with injecting(None):
            return self._reports(self.graph.invoke(_state(scope, force, patient), _ENDLESS))

    async def arun(self, scope: Scope, *, force: bool = True, patient: bool = False) -> list[ExtractionReport]:
        """Extract what waits in the scope's thread; the async twin of ``run``."""
        with injecting(None):
            return self._reports(await self.graph.ainvoke(_state(scope, force, patient), _ENDLESS))

    def _reports(self, state: dict[str, Any]) -> list[ExtractionReport]:
        told = (self._done.pop(report["run_id"], None) for report in state.get("reports", []))
        return [report for report in told if report is not None]

    def _built(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        builder: StateGraph[Any, Any, Any, Any] = StateGraph(ExtractorState)
        builder.add_node("batch", self._twin(self._batch))
        builder.add_node("extract", RunnableLambda(self._extract, afunc=self._aextract, name="extract"))
        for name in ("check", "reconcile", "write"):
            builder.add_node(name, self._twin(self._step(name)))
        builder.add_node("settle", self._twin(self._settle))
        builder.add_edge(START, "batch")
        builder.add_conditional_edges("batch", self._after_batch, ["extract", "settle", END])
        builder.add_conditional_edges("extract", self._after_extract, ["check", END])
        for before, after in zip(_STEPS[1:], _STEPS[2:], strict=False):
            builder.add_edge(before, after)
        builder.add_edge("settle", "batch")
        return builder.compile(checkpointer=False, name="memory.extractor")

    @staticmethod
    def _twin(step: Callable[[Any], Any]) -> RunnableLambda[Any, Any]:
        """Let a step that only reads and writes the store run in a thread when the graph is async."""

        async def later(state: Any) -> Any:
            return await asyncio.to_thread(step, state)

        return RunnableLambda(step, afunc=later, name=step.__name__.strip("_"))

    def _step(self, name: str) -> Callable[[Any], Any]:
        run = getattr(self._pipeline, name)

        def step(state: ExtractorState) -> dict[str, Any]:
            work = self._at_hand(state)
            try:
                run(work)
            except BaseException as error:
                self._give_back(work, error)
                raise
            return {"run_id": work.claim.run.id}

        step.__name__ = name
        return step

    def _batch(self, state: ExtractorState) -> dict[str, Any]:
        scope = Scope(state["owner_id"], state["thread_id"])
        work = self._pipeline.batch(scope, force=bool(state.get("force")), patient=bool(state.get("patient")))
        if work is None:
            return {"run_id": None}
        self._work[work.claim.run.id] = work
        return {"run_id": work.claim.run.id}

    def _extract(self, state: ExtractorState) -> dict[str, Any]:
        work = self._at_hand(state)
        try:
            self._pipeline.extract(work)
        except BaseException as error:
            self._give_back(work, error)
            raise
        return self._extracted(work, state)

    async def _aextract(self, state: ExtractorState) -> dict[str, Any]:
        work = self._at_hand(state)
        try:
            batch = await asyncio.to_thread(self._pipeline.question, work)
            await self._pipeline.aextract(work, batch)
        except BaseException as error:
            self._give_back(work, error)
            raise
        return self._extracted(work, state)

    def _extracted(self, work: Work, state: ExtractorState) -> dict[str, Any]:
        if work.error is None:
            return {"run_id": work.claim.run.id}
        return self._ended(work.report(), state)

    def _settle(self, state: ExtractorState) -> dict[str, Any]:
        work = self._at_hand(state)
        try:
            report = self._pipeline.settle(work)
        except BaseException as error:
            self._give_back(work, error)
            raise
        return self._ended(report, state)

    def _ended(self, report: ExtractionReport, state: ExtractorState) -> dict[str, Any]:
        self._work.pop(report.run_id, None)
        # Whoever uses the graph as a node reads the state and leaves these behind.
        while len(self._done) >= _MOST_REPORTS:
            self._done.pop(next(iter(self._done)), None)
        self._done[report.run_id] = report
        return {"run_id": report.run_id, "reports": [*state.get("reports", []), _plain(report)]}

    def _give_back(self, work: Work, error: BaseException) -> None:
        self._work.pop(work.claim.run.id, None)
        self._pipeline.release(work, error)

    def _at_hand(self, state: ExtractorState) -> Work:
        return self._work[str(state["run_id"])]

    def _after_batch(self, state: ExtractorState) -> str:
        if state.get("run_id") is None:
            return END
        return "settle" if self._at_hand(state).claim.is_written else "extract"

    def _after_extract(self, state: ExtractorState) -> str:
        return "check" if str(state["run_id"]) in self._work else END


def _state(scope: Scope, force: bool, patient: bool) -> ExtractorState:
    return {
        "owner_id": scope.owner_id,
        "thread_id": scope.thread_id or "",
        "force": force,
        "patient": patient,
        "reports": [],
    }


def _plain(report: ExtractionReport) -> dict[str, Any]:
    """Tell a report as counts and ids; what was refused is counted, not told."""
    told = asdict(report)
    told["refused"] = len(report.refused)
    told["profile"] = [kind.value for kind in report.profile.changed]
    told["error"] = None if report.error is None else "failed"
    return told
