"""Hypothesis strategies for the values of core: any action, observation, step, trajectory."""

from __future__ import annotations

from hypothesis import strategies as st

from workalike.core import actions as a
from workalike.core.observation import Dialog, Element, ImageRef, Observation, TabInfo
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop, StopReason, Trajectory, Usage

fractions = st.floats(-0.5, 1.5, allow_nan=False)
inside = st.floats(0, 1, allow_nan=False)
any_point = st.builds(Point, fractions, fractions)
sizes = st.builds(Size, st.integers(1, 8000), st.integers(1, 8000))
boxes = st.builds(Box, inside, inside, inside, inside)
texts = st.text(max_size=40)
buttons = st.sampled_from(["left", "right", "middle"])
key_names = st.sampled_from(["enter", "ctrl", "shift", "a", "Z", "f5", "pageup", "ö", "'", "+"])
key_lists = st.lists(key_names, min_size=1, max_size=4).map(tuple)
held = st.lists(st.sampled_from(["ctrl", "shift", "alt"]), unique=True, max_size=2).map(tuple)
maybe_point = st.none() | any_point
amounts = st.integers(-30, 30).map(float)

actions: st.SearchStrategy[a.Action] = st.one_of(
    st.builds(a.Click, maybe_point, buttons, st.integers(1, 3), held),
    st.builds(a.Move, any_point),
    st.builds(a.Drag, st.lists(any_point, min_size=1, max_size=5).map(tuple), maybe_point, buttons, held),
    st.builds(a.Scroll, amounts, amounts, st.sampled_from(["notches", "pixels"]), maybe_point, held),
    st.builds(a.Write, texts),
    st.builds(a.Press, key_lists),
    st.builds(a.Hotkey, key_lists),
    st.builds(a.KeyDown, key_names),
    st.builds(a.KeyUp, key_names),
    st.builds(a.MouseDown, maybe_point, buttons),
    st.builds(a.MouseUp, maybe_point, buttons),
    st.builds(a.Wait, st.none() | st.floats(0, 60)),
    st.builds(a.Visit, texts),
    st.builds(a.Search, texts),
    st.just(a.Back()),
    st.just(a.Forward()),
    st.builds(a.SwitchTab, st.integers(0, 9)),
    st.builds(a.CloseTab, st.none() | st.integers(0, 9)),
    st.builds(a.Memorize, texts),
    st.builds(a.Ask, texts),
    st.builds(a.ReadPage, texts),
    st.builds(a.Terminate, st.sampled_from(["success", "failure"]), st.none() | texts),
    st.builds(a.Opaque, texts, texts),
)
elements = st.builds(Element, texts, texts, st.none() | boxes, st.none() | st.integers(0, 999))
pictures = st.builds(ImageRef, texts, st.none() | st.just("0" * 64), st.none() | sizes)
observations = st.builds(
    Observation,
    picture=st.none() | pictures,
    size=st.none() | sizes,
    scale=st.sampled_from([1.0, 1.5, 2.0]),
    kind=st.sampled_from(["viewport", "page", "desktop"]),
    view=st.none() | boxes,
    url=st.none() | texts,
    tabs=st.lists(st.builds(TabInfo, texts, texts, st.booleans()), max_size=2).map(tuple),
    dialog=st.none() | st.builds(Dialog, st.sampled_from(["alert", "confirm", "file"]), texts),
    pointer=maybe_point,
    elements=st.none() | st.lists(elements, max_size=3).map(tuple),
)
usages = st.builds(Usage, *[st.integers(0, 10**6)] * 4, st.none() | st.floats(0, 100))
takens = st.builds(
    ActionResult, actions, st.none() | inside, st.none() | inside, st.none() | texts, st.none() | elements
)
steps = st.builds(
    Step,
    observation=observations,
    actions=st.lists(takens, max_size=3).map(tuple),
    reply=st.none() | texts,
    thought=st.none() | texts,
    correct=st.none() | st.booleans(),
    notices=st.lists(st.builds(Notice, texts, texts), max_size=2).map(tuple),
    usage=st.none() | usages,
)
reasons: tuple[StopReason, ...] = ("terminated", "asked", "out_of_steps", "agent_error")
trajectories = st.builds(
    Trajectory,
    id=texts,
    task=st.builds(Task, texts, texts, persona=st.dictionaries(texts, texts, max_size=2)),
    steps=st.lists(steps, max_size=4).map(tuple),
    final=st.none() | observations,
    notices=st.lists(st.builds(Notice, texts, texts), max_size=1).map(tuple),
    stop=st.none() | st.builds(Stop, st.sampled_from(reasons), texts),
)
