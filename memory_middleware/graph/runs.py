"""Naming the runs that have no thread, so that all nodes of one run agree."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from typing import Any

from langchain_core.runnables import RunnableConfig

__all__ = ["RunNames", "run_name"]

_MOST = 4096


class RunNames:
    """Names of runs, by the control that LangGraph makes for a run and hands on to all nodes and subgraphs of it.

    A control takes no weak reference, so the newest ones are held; they are small.

    Args:
        most: How many are held.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._names: OrderedDict[int, tuple[object, str]] = OrderedDict()
        self._most = most
        self._lock = threading.Lock()

    def name(self, control: object, told: str | None = None) -> str:
        """Give the name of a run, the same each time it is asked for.

        Args:
            control: The run's control.
            told: The id of the run, as far as the node that asks can see it.
        """
        with self._lock:
            held = self._names.get(id(control)) or (control, told or _fresh())
            self._names[id(control)] = held
            self._names.move_to_end(id(control))
            while len(self._names) > self._most:
                self._names.popitem(last=False)
            return held[1]


_names = RunNames()


def run_name(config: RunnableConfig, runtime: Any) -> str:
    """Name the run that a node belongs to; outside of a graph every call is a run of its own.

    Subgraphs do not see the id that a run was given, but they share its control.
    """
    info = getattr(runtime, "execution_info", None)
    told = getattr(info, "run_id", None) or config.get("run_id") or (config.get("metadata") or {}).get("run_id")
    control = getattr(runtime, "control", None)
    if control is None:
        return str(told) if told else _fresh()
    return _names.name(control, str(told) if told else None)


def _fresh() -> str:
    return f"run-{uuid.uuid4().hex}"
