"""One flow in two colours: a generator yields what to wait for, and a driver waits in its own way."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol, TypeVar

__all__ = ["Step", "adrive", "drive"]

Result = TypeVar("Result")


class Step(Protocol):
    """Something to wait for."""

    def run(self) -> Any:
        """Wait, blocking the thread."""
        ...

    async def arun(self) -> Any:
        """Wait, leaving the loop free."""
        ...


def drive(flow: Generator[Step, Any, Result]) -> Result:
    """Run a flow to its end; what a step raises is raised inside the flow."""
    try:
        step = next(flow)
        while True:
            try:
                answer = step.run()
            except Exception as error:  # noqa: BLE001  # the flow decides what it means
                step = flow.throw(error)
            else:
                step = flow.send(answer)
    except StopIteration as end:
        result: Result = end.value
        return result


async def adrive(flow: Generator[Step, Any, Result]) -> Result:
    """Run a flow to its end; the async twin."""
    try:
        step = next(flow)
        while True:
            try:
                answer = await step.arun()
            except Exception as error:  # noqa: BLE001  # the flow decides what it means
                step = flow.throw(error)
            else:
                step = flow.send(answer)
    except StopIteration as end:
        result: Result = end.value
        return result
