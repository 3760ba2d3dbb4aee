"""Who answers when an agent asks: nobody, a canned reply, or the persona the agent acts for."""

from __future__ import annotations

from workalike.bench.attempt import User, nobody
from workalike.core.task import Task

CANNED = "Please go on as you think best; I have nothing to add to the task."


def user_for(policy: str, task: Task) -> User:
    """The user of one task under a policy."""
    if policy == "canned":
        return lambda question: CANNED
    if policy == "persona" and task.persona:
        facts = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in task.persona.items())
        return lambda question: f"{CANNED} What you may need of me: {facts}."
    return nobody
