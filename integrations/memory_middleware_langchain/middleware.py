"""The middleware: recall before the model speaks, observe when the agent is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypedDict, cast, get_type_hints

from langchain.agents.middleware import AgentMiddleware, AgentState, ExtendedModelResponse, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ModelCallResult, PrivateStateAttr, ToolCallRequest
from langchain_core.runnables import RunnableConfig
from langgraph.channels import UntrackedValue
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from memory_middleware import (
    AgentTurn,
    AgentType,
    GraphMemory,
    InvalidInputError,
    Memory,
    MemoryConfig,
    TurnMemory,
    TurnRules,
    current_run,
    find_scope,
)
from memory_middleware_langchain.helping import helping, tell_helped
from memory_middleware_langchain.newer import INTERNAL_CALLS, TRACE_POLICY
from memory_middleware_langchain.request import remembering
from memory_middleware_langchain.turns import OpenTurn, OpenTurns, UnderWay, broken_off, owner_mark, without_summaries

__all__ = ["AgentMemory"]

_TOOLS = "tools:"


class AgentMemory(AgentMiddleware[Any, Any, Any]):
    """Gives an agent made with ``create_agent`` a memory.

    It recalls once in a turn, whatever the number of model calls, and again after an interrupt. What it recalls reaches
    the system message of the request and nothing else: no state, checkpoint or stream holds it. When the agent is done
    the turn is written down. A failure of memory never costs the answer, unless the configuration wants it so.

    Put it after ``PIIMiddleware``, so that it reads what that leaves, and before whatever marks prompts for a cache.

    Args:
        memory: The memory, or what ``Memory.open`` opens: a folder, a database URL or a configuration. One of
            ``Memory.in_graph`` is kept in the store of the agent.
        role: ``router`` is told the user profile, ``worker`` the work profile.
        agent: The agent's name in the configuration; none takes that given to ``create_agent``, else the role.
        tools: Whether the agent gets the tools of the memory, or the names of those it gets.
        observe: Whether turns are written down. What an agent is told as a tool of another never is, since those are
            not the user's words.
        name: Tells several of them in one agent apart.

    Attributes:
        memory: The memory, to be looked into and closed.
        role: The role.
        agent: The name that was given.

    Raises:
        InvalidInputError: The role or a tool is unknown.
    """

    trace_policy = TRACE_POLICY
    transformers = INTERNAL_CALLS

    def __init__(
        self,
        memory: Memory | GraphMemory | str | Path | MemoryConfig,
        *,
        role: AgentType | str = AgentType.WORKER,
        agent: str | None = None,
        tools: bool | Sequence[str] = False,
        observe: bool = True,
        name: str = "AgentMemory",
    ) -> None:
        super().__init__()
        self.role = _role(role)
        self.agent = agent
        self.memory = memory if isinstance(memory, Memory | GraphMemory) else Memory.open(memory)
        self.tools = self._chosen(tools)
        self._name = name
        self._channel = f"memory_turn_{name}"
        self._owner_channel = f"memory_owner_{name}"
        self.state_schema = _state_with(self._channel, self._owner_channel)
        self._rules = TurnRules(cast(TurnMemory, self.memory), self.role, observes=observe)
        self._told_rules = replace(self._rules, memory=cast(TurnMemory, UnderWay(self.memory)), observes=False)
        self._turns = OpenTurns()

    @property
    def name(self) -> str:
        """The name of the middleware."""
        return self._name

    def before_agent(self, state: AgentState[Any], runtime: Any) -> None:
        """Write down a turn that was broken off, as when somebody goes on without answering an interrupt."""
        if turn := self._broken_off(state, runtime):
            turn.observe(turn.messages)

    async def abefore_agent(self, state: AgentState[Any], runtime: Any) -> None:
        """Write down a turn that was broken off; the async twin."""
        if turn := self._broken_off(state, runtime):
            await turn.aobserve(turn.messages)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelCallResult[Any]:
        """Let the model read what was recalled for the turn."""
        now = self._at(request.state, request.runtime)
        if now.read(request.state["messages"]):
            now.turn.recall()
            tell_helped(self.memory, now.turn)
        with self._kept(now):
            response = handler(remembering(request, now.turn.injection))
        return self._noted(now, request.state, response)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelCallResult[Any]:
        """Let the model read what was recalled; the async twin."""
        now = self._at(request.state, request.runtime)
        if now.read(request.state["messages"]):
            await now.turn.arecall()
            tell_helped(self.memory, now.turn)
        with self._kept(now):
            response = await handler(remembering(request, now.turn.injection))
        return self._noted(now, request.state, response)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Let agents that are called as tools note what they are told in this turn."""
        with helping(self.memory, self._turns.find(_at_key(request.state, self._channel))):
            return handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Let agents that are called as tools note what they are told; the async twin."""
        with helping(self.memory, self._turns.find(_at_key(request.state, self._channel))):
            return await handler(request)

    def after_agent(self, state: AgentState[Any], runtime: Any) -> None:
        """Write the turn down."""
        if turn := self._ended(state, runtime):
            turn.observe(turn.messages)

    async def aafter_agent(self, state: AgentState[Any], runtime: Any) -> None:
        """Write the turn down; the async twin."""
        if turn := self._ended(state, runtime):
            await turn.aobserve(turn.messages)

    def _chosen(self, tools: bool | Sequence[str]) -> Sequence[Any]:
        if tools is True:
            return self.memory.tools()
        return self.memory.tools([tools] if isinstance(tools, str) else list(tools)) if tools else []

    def _at(self, state: Mapping[str, Any], runtime: Any) -> OpenTurn:
        """Find the turn of this run, or begin it; a run that was resumed does not know its turn any more."""
        known = self._turns.find(state.get(self._channel))
        if known is not None:
            return known
        begun, before = self._begun_again(state, runtime)
        # A model that is tried again is told the same; after an interrupt memory may know better.
        return before if before is not None and before.attempt == begun.attempt else begun

    def _begun_again(self, state: Mapping[str, Any], runtime: Any) -> tuple[OpenTurn, OpenTurn | None]:
        """Begin a turn, and let go what is known of the same question from before an interrupt or a failure."""
        begun = OpenTurn(self._begun(runtime), attempt=_attempt(*current_run()))
        begun.turn.messages = without_summaries(state["messages"])
        return begun, self._turns.left_behind(begun.turn, begun.place)

    @contextmanager
    def _kept(self, now: OpenTurn) -> Iterator[None]:
        """Keep a turn while the model is asked, so that it is found again when the call failed, not when it waits."""
        self._turns.keep(now)
        try:
            yield
        except GraphBubbleUp:
            self._turns.take(now.token)
            raise

    def _begun(self, runtime: Any) -> AgentTurn:
        config, _ = current_run()
        scope = find_scope(config, runtime, agent=self._agent(config), identify=self.memory.identify)
        return AgentTurn(self._told_rules if _is_tool(config) else self._rules, scope, ())

    def _agent(self, config: RunnableConfig) -> str:
        return self.agent or (config.get("metadata") or {}).get("lc_agent_name") or self.role.value

    def _noted(self, now: OpenTurn, state: Mapping[str, Any], response: ModelResponse[Any]) -> ModelCallResult[Any]:
        """Tell the rest of the run its turn, by a name that means nothing elsewhere, and the next run whose it was."""
        if state.get(self._channel) == now.token:
            return response
        told = {self._channel: now.token, self._owner_channel: owner_mark(now.turn.scope)}
        return ExtendedModelResponse(response, Command(update=told))

    def _ended(self, state: Mapping[str, Any], runtime: Any) -> AgentTurn | None:
        """Find the turn that is over; the answer was given, so an owner who cannot be found does not cost it."""
        try:
            now = self._turns.take(state.get(self._channel)) or self._resumed(state, runtime)
        except GraphBubbleUp:
            raise
        except Exception as error:
            if self.memory.config.on_error == "raise":
                raise
            self.memory.note_failure("observe", error)
            return None
        now.read(state["messages"])
        return now.ended()

    def _resumed(self, state: Mapping[str, Any], runtime: Any) -> OpenTurn:
        """Find the turn of a run that was resumed and asked no model since."""
        begun, before = self._begun_again(state, runtime)
        return before or begun

    def _broken_off(self, state: Mapping[str, Any], runtime: Any) -> AgentTurn | None:
        """Find the turn before this one, if it was broken off; the process it began in knows what it was told.

        Whoever goes on in a thread need not be who began it, and words of one owner never enter the memory of another.
        """
        said = broken_off(state["messages"])
        if not said:
            return None
        turn = self._begun(runtime)
        if state.get(self._owner_channel) != owner_mark(turn.scope):
            return None
        turn.messages = said
        known = self._turns.left_behind(turn)
        if known is None:
            return turn
        known.read(said)
        return known.ended()


def _at_key(state: Any, key: str) -> str | None:
    found = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    return found if isinstance(found, str) else None


def _role(role: AgentType | str) -> AgentType:
    try:
        return AgentType(role)
    except ValueError as error:
        raise InvalidInputError(f"role must be 'router' or 'worker', not {role!r}") from error


def _is_tool(config: RunnableConfig) -> bool:
    """Tell whether the agent runs inside a tool of another."""
    return any(step.startswith(_TOOLS) for step in _path(config).split("|"))


def _path(config: RunnableConfig) -> str:
    return str((config.get("metadata") or {}).get("langgraph_checkpoint_ns") or "")


def _attempt(config: RunnableConfig, runtime: Any) -> tuple[str, float | None]:
    """Name the task that runs now, and when it was first tried: the same for a call that is tried again."""
    info = getattr(runtime, "execution_info", None)
    return _path(config), getattr(info, "node_first_attempt_time", None)


def _state_with(channel: str, owner_channel: str) -> type[Any]:
    """Make a state with a channel that lives for the run, and one that stays; neither is in an input or output."""
    hints = get_type_hints(AgentState, include_extras=True)
    fields: Any = {
        **hints,
        channel: Annotated[str, UntrackedValue, PrivateStateAttr],
        owner_channel: Annotated[str, PrivateStateAttr],
    }
    return TypedDict("MemoryState", fields, total=False)  # type: ignore[operator, no-any-return]
