"""What every dialect promises: reading gives back what was written, what cannot be said is named, nothing crashes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.dialects import strategies as some
from tests.dialects.families import FAMILIES, OTHER_FORMS, Family
from workalike.core.actions import Action, Ask, Scroll, Terminate, Write, kind
from workalike.core.errors import DialectError, Inexpressible
from workalike.core.screen import Size

families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def _ends(action: Action) -> bool:
    return isinstance(action, Terminate | Ask)


@pytest.mark.parametrize("family", FAMILIES + OTHER_FORMS, ids=lambda family: family.name)
@settings(max_examples=70)
@given(data=st.data(), screen=some.screens)
def test_identity_on_the_grid(family: Family, data: st.DataObject, screen: Size) -> None:
    action = data.draw(family.expressible(some.grid(family.space, screen), screen))
    assert family.parse(family.format([action], screen), screen) == (action,)


@families
@settings(max_examples=40)
@given(data=st.data(), screen=some.screens)
def test_within_half_a_cell_elsewhere(family: Family, data: st.DataObject, screen: Size) -> None:
    action = data.draw(family.expressible(some.anywhere, screen))
    (back,) = family.parse(family.format([action], screen), screen)
    assert some.within_half_a_cell(action, back, family.space, screen)


@families
@settings(max_examples=40)
@given(data=st.data(), screen=some.screens)
def test_sequences_come_back_in_their_normal_form(family: Family, data: st.DataObject, screen: Size) -> None:
    one = family.expressible(some.grid(family.space, screen), screen)
    actions = data.draw(st.lists(one.filter(lambda action: not _ends(action)), min_size=1, max_size=6))
    back = family.parse(family.format(actions, screen), screen)
    assert back == family.normal(actions)
    assert family.parse(family.format(back, screen), screen) == back


@families
@settings(max_examples=100)
@given(action=some.everything(some.anywhere), screen=some.screens)
def test_what_is_written_is_not_lost_and_what_is_not_is_named(family: Family, action: Action, screen: Size) -> None:
    try:
        written = family.format([action], screen)
    except Inexpressible as error:
        message = str(error)
    else:
        message = ""
        back = family.parse(written, screen)
        (expected,) = family.normal([_spoken(action, family)]) or (action,)
        assert len(back) == 1 or isinstance(action, Write)
        if len(back) == 1:
            assert _alike(expected, back[0], family, screen)
    assert not message or kind(action) in message


def _spoken(action: Action, family: Family) -> Action:
    """What is known to get lost: the ends of an answer that is a thought."""
    if isinstance(action, Terminate) and action.answer is not None and family.name == "fara-7b":
        return replace(action, answer=action.answer.strip() or None)
    if isinstance(action, Ask) and family.name == "uitars":
        return replace(action, question=action.question.strip())
    return action


def _alike(before: Action, after: Action, family: Family, screen: Size) -> bool:
    if isinstance(before, Scroll) and isinstance(after, Scroll):
        across, down = family.scroll_cell(screen)
        if abs(before.dx - after.dx) > across / 2 + 1e-9 or abs(before.dy - after.dy) > down / 2 + 1e-9:
            return False
        after = replace(after, dx=before.dx, dy=before.dy)
    return some.within_half_a_cell(before, after, family.space, screen)


objects = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["type", "action", "actions", "input", "name", "x", "y", "keys", "coordinate", "path", "text"]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


@families
@settings(max_examples=60)
@given(text=st.text(max_size=200), thing=objects, screen=some.screens)
def test_no_input_crashes_a_reader(family: Family, text: str, thing: object, screen: Size) -> None:
    takes_objects = family.name.startswith(("openai", "anthropic"))
    for given_input in (text, thing) if takes_objects else (text,):
        try:
            actions = family.parse(given_input, screen)
        except DialectError:
            continue
        assert actions
        assert msgspec.json.decode(msgspec.json.encode(actions), type=tuple[Action, ...]) == actions
