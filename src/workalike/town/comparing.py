"""Ways to say which of two is meant, right and turned round: what every judge of a comparison must tell apart."""

from __future__ import annotations


def prefer(good: str, bad: str, better: str, worse: str, tail: str = "") -> tuple[str, ...]:
    """Sentences that all speak for the same one of two; `tail` is what else has to be said.

    >>> prefer("Kestrel", "Marlow", "cheaper", "dearer", " by $5")[0]
    'Kestrel is cheaper than Marlow by $5.'
    """
    return (
        f"{good} is {better} than {bad}{tail}.",
        f"{bad} is {worse} than {good}{tail}.",
        f"**{good}**, as far as I can see, is {better} than **{bad}**{tail}.",
        f"{bad} isn't {better} than {good}{tail}.",
        f"Between {bad} and {good}, {good} is {better}{tail}.",
        f"I looked at {bad} and {good}. It is {bad} that is {worse}; the {better} one is {good}{tail}.",
        f"- {good}\n- {bad}\n\nThe {better} of the two: {good}{tail}.",
        f"Compared with {bad}, {good} is {better}{tail}.",
    )


def mistake(good: str, bad: str, better: str, worse: str, tail: str = "") -> dict[str, str]:
    """The same sentences for the other one, as near misses."""
    return {f"the other one, sentence {at}": text for at, text in enumerate(prefer(bad, good, better, worse, tail), 1)}
