"""How ``memory demo`` looks."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from memory_middleware_cli.demo_data import AgentDemo, Demo

__all__ = ["demo_facts", "show_demo"]


def show_demo(demo: Demo, console: Console) -> None:
    """Show the example: its stores, then each agent's prompt and what its memory costs."""
    console.rule("[bold]memory_middleware demo")
    console.print(_stores(demo))
    for agent in demo.agents:
        console.print(_prompt_panel(agent))
        console.print(_cost_table(agent, demo))
    console.print(
        "Nothing left this machine. Try [bold]memory demo --budget 60[/], [bold]memory demo --language zh[/] "
        "or [bold]memory demo --json[/].",
        highlight=False,
    )


def demo_facts(demo: Demo) -> dict[str, Any]:
    """Tell the example as plain data."""
    return {
        "config": demo.config.to_dict(),
        "tokens": {"encoding": demo.counter.encoding, "factor": demo.counter.factor, "exact": demo.counter.exact},
        "agents": [
            {
                "name": agent.name,
                "budget": agent.budget,
                "memory_tokens": agent.prompt.block.tokens,
                "prompt_tokens": agent.prompt.tokens,
                "sections": [vars(cost) for cost in agent.prompt.block.costs],
                "prompt": agent.prompt.text,
            }
            for agent in demo.agents
        ],
    }


def _stores(demo: Demo) -> Table:
    table = Table(title=f"{demo.config_path.name}: who reads and writes what", title_justify="left")
    for heading in ("agent", "memory", "kind", "stages", "read", "write", "top k"):
        table.add_column(heading, justify="right" if heading == "top k" else "left")
    kinds = {store.name: store.type for store in demo.config.memory}
    for agent in demo.agents:
        for at, bound in enumerate(agent.settings.memories):
            table.add_row(
                agent.name if at == 0 else "",
                bound.name,
                kinds.get(bound.name, "built in"),
                ", ".join(bound.retrieve_stage or ()) or "all",
                "yes" if bound.read else "no",
                "yes" if bound.write else "no",
                str(bound.top_k),
            )
        table.add_section()
    return table


def _prompt_panel(agent: AgentDemo) -> Panel:
    text = Text(agent.prompt.text.rstrip())
    for found in re.finditer(r"<!-- (\w+)_START -->.*<!-- \1_END -->", agent.prompt.text, re.DOTALL):
        text.stylize("cyan", found.start(), found.end())
    return Panel(text, title=f"[bold]{agent.name}[/] prompt, memory coloured", border_style="dim")


def _cost_table(agent: AgentDemo, demo: Demo) -> Group:
    block = agent.prompt.block
    table = Table(title=f"{agent.name}: tokens by section ({demo.counter.encoding})", title_justify="left")
    table.add_column("section")
    for heading in ("tokens", "lines kept", "lines dropped"):
        table.add_column(heading, justify="right")
    for cost in block.costs:
        style = "dim" if not cost.kept else "yellow" if cost.dropped else ""
        table.add_row(cost.title, str(cost.tokens), str(cost.kept), str(cost.dropped), style=style)
    table.add_section()
    kept = sum(cost.kept for cost in block.costs)
    table.add_row("whole block", str(block.tokens), str(kept), str(block.dropped), style="bold")
    bar = Table.grid(padding=(0, 1))
    told = f"{block.tokens} of {agent.budget} tokens; the whole prompt takes {agent.prompt.tokens}"
    bar.add_row(ProgressBar(total=agent.budget, completed=block.tokens, width=40), told)
    return Group(table, bar, "")
