"""Could one tell right from wrong without looking? A classifier on what is known of an attempt before any picture is
seen: how many steps, which address last, how long the answer, which status. A set to measure judges on must not let
it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

FOLDS, ROUNDS, RATE, RIDGE = 5, 400, 0.3, 0.01
RARE = 5


class Clues(msgspec.Struct, frozen=True):
    """What is known of an attempt before anything is looked at, and whether it was right."""

    task: str
    steps: int
    last: str
    answer: int
    status: str
    success: bool


def guessable(clues: Sequence[Clues]) -> float | None:
    """The balanced accuracy of guesses on attempts at tasks that the guesser has not seen: 0.5 is chance. None where
    there is nothing to learn from. The better of two guessers counts: one that weighs, one that asks for neighbours."""
    if len({each.success for each in clues}) < 2 or len({each.task for each in clues}) < FOLDS:
        return None
    features, truth = _features(clues), np.array([each.success for each in clues])
    tasks = {task: number % FOLDS for number, task in enumerate(dict.fromkeys(each.task for each in clues))}
    folds = np.array([tasks[each.task] for each in clues])
    guesses = {name: np.zeros(len(clues), bool) for name in ("weighs", "neighbours")}
    for fold in range(FOLDS):
        seen, new = folds != fold, folds == fold
        if len(set(truth[seen])) == 2 and new.any():
            guesses["weighs"][new] = _weighed(features[seen], truth[seen], features[new])
            guesses["neighbours"][new] = _nearest(features[seen], truth[seen], features[new])
    return max(_balanced(truth, guess) for guess in guesses.values())


def _features(clues: Sequence[Clues]) -> NDArray[np.float64]:
    """Numbers, scaled, and a column for every address that is not rare and for every status."""
    places = [_place(each.last) for each in clues]
    common = [name for name, count in Counter(places).items() if count >= RARE]
    statuses = sorted({each.status for each in clues})
    rows = [
        [
            float(each.steps),
            float(np.log1p(each.steps)),
            float(each.answer),
            float(np.log1p(each.answer)),
            *(float(place == name) for name in common),
            *(float(each.status == status) for status in statuses),
        ]
        for each, place in zip(clues, places, strict=True)
    ]
    made = np.array(rows)
    spread = made.std(axis=0)
    return (made - made.mean(axis=0)) / np.where(spread > 0, spread, 1.0)  # type: ignore[no-any-return]


def _place(url: str) -> str:
    """What kind of page an address is: its site and the beginning of its path."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}/{parts.path.strip('/').partition('/')[0]}"


def _weighed(seen: NDArray[np.float64], truth: NDArray[np.bool_], new: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Logistic regression, both classes weighing the same."""
    rows = np.hstack([seen, np.ones((len(seen), 1))])
    weights, wanted = np.zeros(rows.shape[1]), truth.astype(float)
    balance = np.where(truth, 0.5 / truth.mean(), 0.5 / (1 - truth.mean())) / len(truth)
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        weights -= RATE * (rows.T @ (balance * (said - wanted)) + RIDGE * weights)
    guess: NDArray[np.bool_] = np.hstack([new, np.ones((len(new), 1))]) @ weights > 0
    return guess


def _nearest(
    seen: NDArray[np.float64], truth: NDArray[np.bool_], new: NDArray[np.float64], most: int = 9
) -> NDArray[np.bool_]:
    """What the nearest attempts were, against how many are right on the whole."""
    apart = ((new[:, None, :] - seen[None, :, :]) ** 2).sum(axis=2)
    near = np.argsort(apart, axis=1)[:, :most]
    guess: NDArray[np.bool_] = truth[near].mean(axis=1) > truth.mean()
    return guess


def _balanced(truth: NDArray[np.bool_], guess: NDArray[np.bool_]) -> float:
    return float((guess[truth].mean() + (~guess[~truth]).mean()) / 2)
