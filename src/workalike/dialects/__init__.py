"""How each model family writes actions: pure functions from text (or an API object) to actions and back.

Every family is a module with `parse(…) -> tuple[Action, ...]` and `format(actions, …)`. A text that is no action of the
family raises `Unreadable`, an action the family has no words for raises `Inexpressible`; nothing is ever executed.
`docs/dialects.md` shows which family expresses what, and in which coordinates.
"""
