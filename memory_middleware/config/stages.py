"""When in an agent's turn an attachment recalls."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["STAGE_ALIASES", "Stage"]


class Stage(StrEnum):
    """The stages of an agent's turn."""

    PRE_GEN_THINKING = "pre_gen_thinking"
    GEN = "gen"
    POST_GEN_THINKING = "post_gen_thinking"
    FINISHED = "finished"

    @classmethod
    def descriptions(cls) -> dict[Stage, str]:
        """Tell each stage in a sentence."""
        return {
            cls.PRE_GEN_THINKING: "Thinking and planning before the answer; also written 'pre' or 'plan'.",
            cls.GEN: "The answer itself, with its tool calls.",
            cls.POST_GEN_THINKING: "Looking back at the answer; also written 'critique'.",
            cls.FINISHED: "After the turn, for summaries and clean-up.",
        }


STAGE_ALIASES = {
    "pre": Stage.PRE_GEN_THINKING,
    "plan": Stage.PRE_GEN_THINKING,
    "critique": Stage.POST_GEN_THINKING,
}
