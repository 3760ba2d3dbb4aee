"""The oracle: the next action for a task, from its key and what is visible. It solves every task through the page."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.town.look import Look, Past
from workalike.town.template import Template


def next_action(key: Key, observation: Observation, past: Sequence[Past] = ()) -> Action:
    """What the oracle does next. A pure function: whoever asks with the same sight and past gets the same action."""
    look = Look(observation, past)
    return look.clear() or template_of(key).oracle(key.plan, look)


def template_of(key: Key) -> Template:
    """The template that made a key's task."""
    from workalike.town.sites import load

    name = key.extra.get("template")
    for site in load():
        for template in site.templates:
            if template.name == name:
                return template
    raise BadInput(
        f"the task {key.task_id!r} is of no template of the town ({name!r}); was it made by another version?"
    )
