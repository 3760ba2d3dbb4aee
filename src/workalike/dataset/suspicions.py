"""Texts that look wrong: warnings, for a person to look at. Each rule is narrow enough to speak up on hardly a row of
sound data, and cheap enough to be asked of every row.

A refusal or an error of a service in place of a text, a template's placeholder that nobody filled in, characters
decoded under the wrong encoding, one text for all steps, and a typed text that looks like somebody's password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from workalike.dataset.wellformed import RowColumns

TOLD = ("observation", "thought", "action")
SUSPICIONS = {
    "not an annotation": "a refusal or an error of a service stands in place of a text",
    "unfilled placeholder": "a text with a template's {placeholder}",
    "mojibake": "a text decoded under the wrong encoding",
    "same text throughout": "every step says the same",
    "same text in every row": "all rows of a set have one instruction, or begin with one text",
    "texts missing throughout": "no step has an observation, or a thought, or an action, and the others are there",
    "gibberish": "letters that make no words in any language",
    "typed password": "what is typed looks like a password",
}
Suspicion = tuple[str, str, int | None]
_FEW = 2  # steps of which nobody can say that they all say the same
_HEAD = 5
_INSTEAD = re.compile(
    r"(?:I['’]m|I am) (?:very |so |really )?(?:sorry\b|afraid I|unable to (?:assist|help|process|view|provide))"
    r"|(?:I apologi[sz]e|My apologies|Sorry)\b[^.\n]{0,40}\b(?:but|can|unable|not)\b"
    r"|I (?:can['’]t|cannot|can not|won['’]t) (?:assist|help|comply|provide|fulfil|process|view|see (?:the|any) image)"
    r"|As an? (?:AI|large language|language model)\b"
    r"|Unable to (?:process|generate|complete) (?:the |this |your )?(?:request|response|image)"
    r"|(?:Error|ERROR|error)(?: code)?:? ?(?:\d{3}\b|communicating|calling|processing|from|generating|\{)"
    r"|(?:openai|anthropic|httpx|requests|json|urllib3?|aiohttp)\.[\w.]{3,60}: "
    r"|(?:API|RateLimit|Timeout|Value|Key|Type|Runtime|Connection|JSONDecode|Attribute|Index)\w*(?:Error|Exception): "
    r"|Traceback \(most recent call last\)|\{\s*\"error\"|<!DOCTYPE|<html"
    r"|Rate limit|Request timed out|Service [Uu]navailable|Internal [Ss]erver|Bad [Gg]ateway|Gateway [Tt]ime-?out"
    r"|Too [Mm]any [Rr]equests|Connection (?:error|refused|reset|aborted)|Maximum (?:context|retries)"
    r"|(?:HTTP[/ ])?(?:429|50[0-4]|40[0134])\b:? (?:[A-Z]\w+ ?){1,3}"
)
_NO_TEXT = re.compile(r"(?:None|null|NaN|N/A|undefined|TODO|TBD)\s*$")
_BESIDES = ("natural_language_task", "actual_task", "reason")
_OPENING = 64  # characters at the head of a text that tell whether it is written in words
_FEW_ODD = 4
_ODD_PAIRS = (  # a letter, and those that hardly ever follow it in any language written with them
    "b:fkqxz c:bgjwx d:kqz f:jkvxz g:jkqx h:gjkqvxz j:bcfghqrvwxz k:cjqvxz l:jqx m:hjqxz p:jqvxz "
    "q:bcefghjklmopqrstvwxyz r:jqx s:x t:j v:bfghjkpqwx w:gjmpqvxz x:gjknqrvwz y:jqy z:fjqx"
)
_IS_ODD = np.zeros(1 << 16, np.uint8)
_IS_ODD[[ord(pair[0]) << 8 | ord(after) for pair in _ODD_PAIRS.split() for after in pair[2:]]] = 1
# How such a text begins: one look into a set spares nearly every text the pattern.
_HEADS = frozenset({
    "I'm s", "I'm v", "I'm r", "I'm a", "I'm u", "I’m s", "I’m v", "I’m r", "I’m a", "I’m u", "I am ", "I apo",
    "My ap", "Sorry", "I can", "I won", "As an", "As a ", "Unabl", "Error", "ERROR", "error", "opena", "anthr",
    "httpx", "reque", "json.", "urlli", "aioht", "APIEr", "APICo", "APITi", "APISt", "RateL", "Timeo", "Value",
    "KeyEr", "TypeE", "Runti", "Conne", "JSOND", "Attri", "Index", "Trace", "Rate ", "Reque", "Servi", "Inter",
    "Bad g", "Bad G", "Gatew", "Too m", "Too M", "Maxim", "HTTP ", "HTTP/", '{"err', '{ "er', "<!DOC", "<html",
    "429 T", "429: ", "500 I", "502 B", "503 S", "504 G", "400 B", "401 U", "403 F", "404 N", "None", "None\n",
    "null", "null\n", "NaN", "N/A", "undef", "TODO", "TBD",
})  # fmt: skip
_PLACEHOLDER = re.compile(
    r"(?<![\w$\\{}'\"`(%.<:=])\{\{? ?[A-Za-z]{2,20}(?:_[A-Za-z]{1,20}){0,4} ?\}\}?(?![\w{}'\"`>])"
)
_MOJIBAKE = re.compile("Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|â€|â\u0080|ï»¿|ðŸ|\ufffd")
_WRITTEN = re.compile(r"write\((?:message=)?(?:'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\")")
_PASSWORD = re.compile(  # a mix of everything, but no address, formula, path or name of a file
    r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])(?=[^!@#$%^&*?]*[!@#$%^&*?])(?![=$#.])(?!.*@[\w-]+\.\w)"
    r"[A-Za-z0-9!@#$%^&*?_.+-]{8,40}|(?i:\S*(?:passw[o0]rd|p@ss(?:w|\d)|passwd)\S*\d\S*)"
)
_ENTERED = re.compile(r"(?i)\b(?:typ|enter|input|fill|writ)\w*\b[^.\n]{0,60}\bpass(?:word|phrase|code)\b")
_CALLED = re.compile(r"ass(?:word|phrase|code)")
_ONE_WORD = re.compile(r"[^\s•*]{4,60}")


def may_be_suspicious(instruction: str, others: Sequence[str], held: RowColumns, joined: str) -> bool:
    """Whether a row is worth a closer look; always True where `suspicions` finds something. `others` are what else is
    said of the task, `joined` the observations, thoughts and actions as one text."""
    told = (held.observations, held.thoughts, held.actions)
    texts = [*held.observations, *held.thoughts, *held.actions, *held.reflections]
    if not _HEADS.isdisjoint([text[:_HEAD] for text in texts]):
        doubted = [text for text in texts if text[:_HEAD] in _HEADS]
        if any(_INSTEAD.match(text) or _NO_TEXT.match(text) for text in doubted):
            return True
    if has_gibberish([instruction, *texts[: -len(held.reflections)]]):
        return True
    if any(map(_throughout, told)) or any(map(_INSTEAD.match, (instruction, *others))) or _NO_TEXT.match(instruction):
        return True
    if _placeholder(joined) or _mojibake(joined):
        return True
    return "write(" in held.code and (_typed(held.code) or _CALLED.search("\n".join(held.actions)) is not None)


def suspicions(document: dict[str, Any]) -> Iterator[Suspicion]:
    """What looks wrong in the texts of a row: the kind, the words, and the step."""
    instruction = document.get("instruction")
    if isinstance(instruction, str):
        yield from ((kind, f"instruction: {words}", None) for kind, words in _in_text(instruction))
    for name in _BESIDES:
        yield from _instead(name, document.get(name), None)
    steps = [step.get("value") if isinstance(step, dict) else None for step in document["traj"]]
    values = [value if isinstance(value, dict) else {} for value in steps]
    for name in TOLD:
        texts = [text for value in values if isinstance(text := value.get(name), str)]
        if len(texts) == len(values) and _throughout(texts):
            yield "same text throughout", f"{name}: {_short(texts[0])}", None
    for place, value in enumerate(values):
        for name in TOLD:
            text = value.get(name)
            if isinstance(text, str):
                yield from ((kind, f"{name}: {words}", place) for kind, words in _in_text(text))
        yield from _instead("reflection", value.get("reflection"), place)
        if _types_password(value):
            yield "typed password", "the typed text is not repeated here", place


def has_gibberish(texts: Sequence[str]) -> bool:
    """Whether one of some texts begins with letters that make no words; all at once, many times as fast as one by
    one."""
    heads = [text[:_OPENING] for text in texts]
    odd = _odd_pairs("\n".join(heads))
    return odd >= _FEW_ODD and any(_odd_pairs(head) >= _FEW_ODD for head in heads)


def _odd_pairs(text: str) -> int:
    letters = np.frombuffer(text.encode("ascii", "replace"), np.uint8).astype(np.uint16)
    return int(np.count_nonzero(_IS_ODD.take((letters[:-1] << 8) + letters[1:])))


def _instead(name: str, text: Any, place: int | None) -> Iterator[Suspicion]:
    found = _INSTEAD.match(text) if isinstance(text, str) else None
    if found is not None:
        yield "not an annotation", f"{name}: {_short(found[0])}", place


def _in_text(text: str) -> Iterator[tuple[str, str]]:
    if has_gibberish([text]):
        yield "gibberish", _short(text[:_OPENING])
    for kind, found in (
        ("not an annotation", _INSTEAD.match(text) or _NO_TEXT.match(text)),
        ("unfilled placeholder", _placeholder(text)),
        ("mojibake", _mojibake(text)),
    ):
        if found is not None:
            yield kind, _short(found[0]) if kind != "mojibake" else repr(text[max(0, found.start() - 12) :][:40])


def _placeholder(text: str) -> re.Match[str] | None:
    return _PLACEHOLDER.search(text) if "{" in text else None


def _mojibake(text: str) -> re.Match[str] | None:
    return None if text.isascii() else _MOJIBAKE.search(text)


def _throughout(texts: Sequence[str]) -> bool:
    """Whether several texts are one; most are told apart by the first and the last."""
    return len(texts) > _FEW and texts[0] == texts[-1] and texts.count(texts[0]) == len(texts)


def _types_password(value: dict[str, Any]) -> bool:
    code, action = value.get("code"), value.get("action")
    if not isinstance(code, str) or "write(" not in code:
        return False
    entered = isinstance(action, str) and _ENTERED.search(action) is not None
    return _typed(code) or (entered and any(_ONE_WORD.fullmatch(text) for text in _written(code)))


def _typed(code: str) -> bool:
    return any(_PASSWORD.fullmatch(text) for text in _written(code))


def _written(code: str) -> list[str]:
    return [one or other for one, other in _WRITTEN.findall(code)]


def _short(text: str) -> str:
    return " ".join(text.split())[:60]
