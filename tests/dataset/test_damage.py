"""What can be wrong with a set, kind by kind: a sound set is damaged in one place, and the defect is named. Nothing
that is wrong stops the pass, and pure garbage is not taken for a set."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from benchmarks.agentnet_set import write_set
from tests.dataset.rows import CLICK, END, meta, put, row, step
from workalike.cli import main
from workalike.dataset.dedupe import dedupe_rows
from workalike.dataset.defects import FIXABLE, KINDS, WARNINGS, Defect
from workalike.dataset.files import find_files
from workalike.dataset.stats import describe
from workalike.dataset.survey import survey

Document = dict[str, Any]
Damage = Callable[[Document], object]
GOOD_TEXT = "The dialog shows three buttons, and I should press the one that saves."


def sound(task_id: str = "0f3a-1", steps: int = 5) -> Document:
    """A row as published, with pictures of its own."""
    made = [step(at, END if at == steps - 1 else CLICK, image=f"{task_id}_{at}.png") for at in range(steps)]
    return row(task_id, made)


def code(text: str) -> Damage:
    return lambda document: document["traj"][1]["value"].update(code=text)


def told(name: str, text: Any, everywhere: bool = False) -> Damage:
    def damage(document: Document) -> None:
        for each in document["traj"] if everywhere else document["traj"][1:2]:
            each["value"][name] = text

    return damage


def own(**fields: Any) -> Damage:
    return lambda document: document.update(fields)


def on_step(**fields: Any) -> Damage:
    return lambda document: document["traj"][1].update(fields)


def ends(text: str, **fields: Any) -> Damage:
    def damage(document: Document) -> None:
        document["traj"][-1]["value"]["code"] = text
        document.update(fields)

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "id: missing": (lambda document: document.pop("task_id"), "missing field"),
    "id: null": (own(task_id=None), "missing field"),
    "id: a number": (own(task_id=7), "missing field"),
    "id: empty": (own(task_id=""), "missing field"),
    "id: blank": (own(task_id="  "), "unsafe name"),
    "id: leads out": (own(task_id="../../etc/passwd"), "unsafe name"),
    "id: absolute": (own(task_id="/etc/passwd"), "unsafe name"),
    "id: a control character": (own(task_id="a\x00b"), "unsafe name"),
    "id: an address": (own(task_id="jane.doe@example.org_17"), "unsafe name"),
    "instruction: null": (own(instruction=None), "null"),
    "instruction: empty": (own(instruction=""), "empty text"),
    "instruction: blank": (own(instruction=" \n\t"), "empty text"),
    "instruction: a list": (own(instruction=["a"]), "wrong type"),
    "instruction: missing": (lambda document: document.pop("instruction"), "missing text"),
    "instruction: invisible": (own(instruction="\u200b\u2060"), "empty text"),
    "instruction: a control character": (own(instruction="Open \x00 now"), "control character"),
    "instruction: gibberish": (own(instruction="qxzv jkwq vbxq zjfk wqpx hvkq gjxz"), "gibberish"),
    "task: a refusal": (own(natural_language_task="I'm sorry, but I can't assist with that."), "not an annotation"),
    "actual task: an error": (own(actual_task="Error code: 429 - rate limited"), "not an annotation"),
    "reason: a refusal": (own(reason="I cannot assist with this request."), "not an annotation"),
    "reason: a control character": (own(reason="It \x07 rang."), "control character"),
    "instruction: unfilled": (own(instruction="Please do {task_name} now"), "unfilled placeholder"),
    "instruction: mojibake": (own(instruction="Open the cafÃ© page"), "mojibake"),
    "steps: none": (own(traj=[]), "no steps"),
    "steps: no list": (own(traj={}), "unreadable row"),
    "steps: null": (own(traj=None), "unreadable row"),
    "step: a text": (lambda document: document["traj"].__setitem__(1, "x"), "missing field"),
    "step: no value": (lambda document: document["traj"][1].pop("value"), "missing field"),
    "index: twice": (on_step(index=0), "index not contiguous"),
    "index: a text": (on_step(index="1"), "index not contiguous"),
    "index: a truth": (on_step(index=True), "index not contiguous"),
    "steps: reversed": (lambda document: document["traj"].reverse(), "steps after terminate"),
    "picture: missing": (lambda document: document["traj"][1].pop("image"), "missing field"),
    "picture: null": (on_step(image=None), "null"),
    "picture: empty": (on_step(image=""), "missing field"),
    "picture: blank": (on_step(image="  "), "unsafe name"),
    "picture: leads out": (on_step(image="../other/1.png"), "unsafe name"),
    "picture: of another step": (on_step(image="0f3a-1_0.png"), "picture used twice"),
    "observation: empty": (told("observation", ""), "empty text"),
    "observation: blank": (told("observation", "  \n"), "empty text"),
    "observation: null": (told("observation", None), "null"),
    "thought: empty": (told("thought", ""), "empty text"),
    "thought: blank": (told("thought", "\u2003"), "empty text"),
    "thought: a number": (told("thought", 3), "wrong type"),
    "action: empty": (told("action", ""), "empty text"),
    "thought: invisible": (told("thought", "\u200b\ufeff"), "empty text"),
    "observation: missing": (lambda document: document["traj"][1]["value"].pop("observation"), "missing text"),
    "thought: missing": (lambda document: document["traj"][1]["value"].pop("thought"), "missing text"),
    "action: missing": (lambda document: document["traj"][1]["value"].pop("action"), "missing text"),
    "thought: nowhere": (
        lambda document: [each["value"].pop("thought") for each in document["traj"]],
        "texts missing throughout",
    ),
    "thought: a control character": (told("thought", "I see \x1b[31m it."), "control character"),
    "reflection: deleted": (told("reflection", "It \x7f worked."), "control character"),
    "thought: gibberish": (told("thought", "wqzk jxvb qpfj zxhk vkqw mxjq pvzb kqgj"), "gibberish"),
    "reflection: a refusal": (told("reflection", "I'm sorry, but I can't assist."), "not an annotation"),
    "thought: a refusal": (told("thought", "I'm sorry, but I can't assist with that."), "not an annotation"),
    "thought: another refusal": (told("thought", "I cannot assist with this request."), "not an annotation"),
    "thought: an assistant's": (told("thought", "As an AI language model, I do not see."), "not an annotation"),
    "thought: an error": (told("thought", "Error code: 429 - rate limited"), "not an annotation"),
    "thought: an error's body": (told("thought", '{"error": {"message": "overloaded"}}'), "not an annotation"),
    "thought: an exception": (told("thought", "openai.RateLimitError: try again"), "not an annotation"),
    "thought: a page": (told("thought", "<html><body>502 Bad Gateway</body></html>"), "not an annotation"),
    "thought: None": (told("thought", "None"), "not an annotation"),
    "action: unfilled": (told("action", "Click {element_name} at the top."), "unfilled placeholder"),
    "thought: mojibake": (told("thought", "The userâ€™s page"), "mojibake"),
    "thought: undecoded": (told("thought", "The user\ufffds page"), "mojibake"),
    "thought: the same": (told("thought", GOOD_TEXT, everywhere=True), "same text throughout"),
    "observation: the same": (told("observation", GOOD_TEXT, everywhere=True), "same text throughout"),
    "thought: the mark": (told("thought", "It is in the red circle."), "mentions the marker"),
    "action: a place": (told("action", "Click at (0.25, 0.75)."), "mentions coordinates"),
    "thought: code": (told("thought", "I call pyautogui.click now."), "mentions code"),
    "correct: a text": (told("last_step_correct", "True"), "wrong type"),
    "redundant: null": (told("last_step_redundant", None), "null"),
    "code: missing": (lambda document: document["traj"][1]["value"].pop("code"), "missing field"),
    "code: null": (code(None), "null"),  # type: ignore[arg-type]
    "code: empty": (code(""), "missing field"),
    "code: fenced": (code(f"```python\n{CLICK}\n```"), "code form"),
    "code: fenced by tildes": (code(f"~~~python\n{CLICK}\n~~~"), "code form"),
    "code: a control character typed": (code("pyautogui.write(message='a\\x00b')"), "control character"),
    "code: a raw control character typed": (code("pyautogui.write(message='a\x01b')"), "control character"),
    "picture: an address": (on_step(image="https://example.org/1.png"), "unsafe name"),
    "picture: within": (on_step(image="data:image/png;base64,AAAA"), "unsafe name"),
    "code: carriage returns": (code(f"{CLICK}\r\npyautogui.scroll(3)"), "code form"),
    "code: prose": (code("Click the button."), "unreadable code"),
    "code: misspelt": (code("pyautogui.clik(x=0.5, y=0.5)"), "unreadable code"),
    "code: cut": (code("pyautogui.click(x=0.5, y="), "unreadable code"),
    "code: other calls": (code("os.system('ls')"), "unreadable code"),
    "code: off the screen": (code("pyautogui.click(x=1.5, y=0.5)"), "place off the screen"),
    "code: before the screen": (code("pyautogui.click(x=-0.1, y=0.5)"), "place off the screen"),
    "code: pixels": (code("pyautogui.click(x=512, y=300)"), "place off the screen"),
    "code: a key that is none": (code("pyautogui.press(keys=['entre'])"), "unknown key"),
    "code: no key": (code("pyautogui.press(keys=[])"), "unreadable code"),
    "code: one key twice": (code("pyautogui.hotkey(keys=['ctrl', 'ctrl'])"), "does nothing"),
    "code: an empty text": (code("pyautogui.write(message='')"), "does nothing"),
    "code: no turn": (code("pyautogui.scroll(0)"), "does nothing"),
    "code: a move alone": (code("pyautogui.moveTo(x=0.5, y=0.5)"), "only a move"),
    "code: moves alone": (code("pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.moveTo(x=0.6, y=0.5)"), "only a move"),
    "code: a triple click's spelling": (code("computer.triple_click(x=0.5, y=0.5)"), "triple-click spelling"),
    "code: a password": (code("pyautogui.write(message='Tr0ub4dor&3!')"), "typed password"),
    "code: called a password": (code("pyautogui.write(message='MyPassword123')"), "typed password"),
    "end: none": (ends(CLICK), "no terminate"),
    "end: another status": (ends("computer.terminate(status='fail')"), "terminate status"),
    "end: too early": (code(END), "steps after terminate"),
    "end: more calls": (ends(f"{END}\n{CLICK}"), "steps after terminate"),
    "end: completed as a failure": (ends("computer.terminate(status='failure')"), "completed as a failure"),
    "completed: null": (own(task_completed=None), "null"),
    "completed: a number": (own(task_completed=1), "wrong type"),
    "score: too high": (own(alignment_score=11), "score out of range"),
    "score: negative": (own(efficiency_score=-1), "score out of range"),
    "score: a text": (own(task_difficulty="7"), "wrong type"),
    "score: 401 digits": (own(alignment_score=10**400), "score out of range"),
}


def damaged(damage: Damage) -> Document:
    document = deepcopy(sound())
    damage(document)
    return document


def found_in(folder: Path, *lines: Any, metadata: tuple[Any, ...] = ()) -> list[Defect]:
    put(folder / "rows.jsonl", *lines)
    if metadata:
        put(folder / "meta_data_merged.jsonl", *metadata)
    every: list[Defect] = []
    survey(find_files([folder]), sink=every.append)
    return every


def test_the_sound_row_has_no_defect(tmp_path: Path) -> None:
    assert found_in(tmp_path, sound(), metadata=(meta("0f3a-1", step_num=5),)) == []


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_to_a_row_is_named(tmp_path: Path, name: str) -> None:
    damage, kind = DAMAGES[name]
    found = found_in(tmp_path, sound("other"), damaged(damage))
    assert kind in {defect.kind for defect in found if defect.line == 2}
    assert kind in KINDS
    assert not [defect for defect in found if defect.line == 1]


LINES: dict[str, tuple[str, str]] = {
    "a key twice in the row": (json.dumps(sound())[:-1] + ', "reason": "Another."}', "duplicate key"),
    "a key twice in a step": (json.dumps(sound()).replace('"index": 1', '"index": 0, "index": 1'), "duplicate key"),
    "a key twice where another is missing": (
        json.dumps(sound()).replace('"reflection": "It worked."', '"code": "x", "code": "computer.wait()"', 1),
        "duplicate key",
    ),
    "cut short": (json.dumps(sound())[:300], "unreadable row"),
    "two in a line": (json.dumps(sound()) * 2, "unreadable row"),
    "a list": ("[]", "unreadable row"),
    "NaN": (json.dumps(sound()).replace('"alignment_score": 9', '"alignment_score": NaN'), "unreadable row"),
    "a byte order mark": ("\ufeff" + json.dumps(sound()), "line form"),
    "a carriage return": (json.dumps(sound()) + "\r", "line form"),
    "5,000 digits": (
        json.dumps(sound()).replace('"task_difficulty": 3', f'"task_difficulty": {"9" * 5000}'),
        "unreadable row",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_damage_to_a_line_is_named(tmp_path: Path, name: str) -> None:
    line, kind = LINES[name]
    assert kind in {defect.kind for defect in found_in(tmp_path, line + "\n", sound("other"))}


def test_quotes_before_colons_in_texts_are_no_keys(tmp_path: Path) -> None:
    document = sound()
    document["traj"][1]["value"]["thought"] = 'It says "Name": and "Value": and C:\\":'
    assert found_in(tmp_path, document, {**sound("b"), "extra": {"a": [{"b": 1}]}}) == []


def test_pictures_of_another_task_are_named_once_a_row(tmp_path: Path) -> None:
    stolen = sound("thief")
    for at, each in enumerate(stolen["traj"][:3]):
        each["image"] = f"0f3a-1_{at}.png"
    found = found_in(tmp_path, sound(), sound("honest"), stolen)
    assert [(defect.kind, defect.line, defect.task_id) for defect in found] == [("another task's picture", 3, "thief")]
    out = tmp_path / "out.jsonl"
    assert main(["dataset", "validate", str(tmp_path / "rows.jsonl"), "--strict", "--out", str(out)]) == 1
    assert [json.loads(line)["task_id"] for line in out.read_text().splitlines()] == ["0f3a-1", "honest"]


def test_a_picture_belongs_to_the_row_whose_id_its_name_carries(tmp_path: Path) -> None:
    stolen = sound("thief")
    stolen["traj"][0]["image"] = "0f3a-1_0.png"
    found = found_in(tmp_path, stolen, sound())
    assert [(defect.kind, defect.line, defect.task_id) for defect in found] == [("another task's picture", 1, "thief")]
    out = tmp_path / "out.jsonl"
    assert main(["dataset", "validate", str(tmp_path / "rows.jsonl"), "--strict", "--out", str(out)]) == 1
    assert [json.loads(line)["task_id"] for line in out.read_text().splitlines()] == ["0f3a-1"]


def test_ids_that_begin_alike_do_not_hide_a_shared_picture(tmp_path: Path) -> None:
    first, second = sound("0f3a"), sound("0f3a_1")
    first["traj"][0]["image"] = second["traj"][0]["image"]
    found = found_in(tmp_path, first, second)
    assert [(defect.kind, defect.line) for defect in found] == [("another task's picture", 2)]


def test_rows_as_recorded_need_no_texts(tmp_path: Path) -> None:
    bare = {"task_id": "raw", "instruction": "Open the page", "traj": []}
    for at, spelled in enumerate((CLICK, END)):
        bare["traj"].append({"index": at, "image": f"{at}.png", "value": {"code": spelled}})  # type: ignore[attr-defined]
    assert found_in(tmp_path, bare) == []


@pytest.mark.parametrize("name", ["instruction", "thought"])
def test_a_set_that_says_one_thing_is_warned_of_once(tmp_path: Path, name: str) -> None:
    documents = [sound(f"row-{at}") for at in range(20)]
    for document in documents:
        if name == "instruction":
            document["instruction"] = "Open the settings of the printer"
        for at, each in enumerate(document["traj"]):
            for text in {"observation", "thought", "action"} - {name}:
                each["value"][text] = f"{document['task_id']} tells {text} {at}."
    found = found_in(tmp_path, *documents)
    assert [(defect.kind, name in defect.text) for defect in found] == [("same text in every row", True)]
    assert "same text in every row" in WARNINGS
    assert found_in(tmp_path, *documents[:19]) == []


def test_a_count_below_0_is_told_once(tmp_path: Path) -> None:
    found = found_in(tmp_path, sound(), metadata=(meta("0f3a-1", step_num=-2),))
    assert [defect.kind for defect in found] == ["metadata step count"]


def test_a_move_before_a_bad_line_is_not_only_a_move(tmp_path: Path) -> None:
    drag = "pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.dragTo(x=0.6, y=0.5, button='lft')"
    assert [defect.kind for defect in found_in(tmp_path, damaged(code(drag)))] == ["unreadable code"]


SHOWN = [
    told("thought", "The map is centred on (52.52, 13.405), so I zoom in."),
    told("observation", "The editor shows a Python script that imports pyautogui and calls pyautogui.click."),
    told("observation", "A red circle with an exclamation mark stands beside the field."),
    told("thought", "The red circle on the map marks the city centre; I click on it."),
    told("action", "Draw a red rectangle on the canvas."),
]


@pytest.mark.parametrize("place", range(len(SHOWN)))
def test_what_the_screen_shows_gives_nothing_away(tmp_path: Path, place: int) -> None:
    assert found_in(tmp_path, damaged(SHOWN[place])) == []


@pytest.mark.parametrize(
    "text", ["Tôi cần nhấp vào nút Lưu để tiếp tục.", "Kliknę przycisk Zapisz, żeby zachować zmiany w pliku"]
)
def test_other_languages_are_no_gibberish(tmp_path: Path, text: str) -> None:
    assert found_in(tmp_path, damaged(told("thought", text))) == []


@pytest.mark.parametrize("verb", ["stats", "dedupe"])
def test_what_cannot_be_read_is_told_beside_the_rest(
    tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    whole = gzip.compress(b"".join(json.dumps(sound(f"a{at}")).encode() + b"\n" for at in range(200)))
    (folder / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (folder / "garbage.jsonl").write_bytes(b"\x00\xff\x13garbage\n")
    (folder / "whole.jsonl").write_bytes(json.dumps(sound("whole")).encode() + b"\n")
    more = ["--out", str(tmp_path / "once.jsonl")] if verb == "dedupe" else []
    assert main(["dataset", verb, str(folder), *more]) == 0
    said = capsys.readouterr().err
    assert "cut.jsonl.gz" in said
    assert "garbage.jsonl, line 1" in said


def test_rows_of_which_none_is_left_leave_no_file(tmp_path: Path) -> None:
    garbage, out, reject = tmp_path / "a.jsonl", tmp_path / "out.jsonl", tmp_path / "reject.jsonl"
    garbage.write_bytes(b"garbage\n")
    assert main(["dataset", "validate", str(garbage), "--out", str(out), "--reject", str(reject)]) == 1
    assert not out.exists()
    assert reject.read_bytes() == b"garbage\n"


@pytest.mark.parametrize(
    ("entries", "kind", "line"),
    [
        (("{broken\n", meta("0f3a-1")), "unreadable metadata", 1),
        (({"system": "Ubuntu"}, meta("0f3a-1")), "unreadable metadata", 1),
        (("[]\n", meta("0f3a-1")), "unreadable metadata", 1),
        ((meta("0f3a-1", screen_width=0),), "metadata screen", 1),
        ((meta("0f3a-1", screen_height=-1080),), "metadata screen", 1),
        ((meta("0f3a-1", screen_width=10**400),), "metadata screen", 1),
        ((meta("0f3a-1", screen_width="1920"),), "metadata type", 1),
        ((meta("0f3a-1", applications="Files"),), "metadata type", 1),
        ((meta("0f3a-1", step_num="5"),), "metadata type", 1),
        ((meta("0f3a-1", domains=7),), "metadata type", 1),
        ((meta("0f3a-1", domains={"Work": 1}),), "metadata type", 1),
        ((meta("0f3a-1", domains=[1]),), "metadata type", 1),
        ((meta("0f3a-1", action_frequency=["click"]),), "metadata type", 1),
        ((meta("0f3a-1", action_frequency={"click": -1}),), "metadata type", 1),
        ((meta("0f3a-1", verify_feedback="good"),), "metadata type", 1),
        ((json.dumps(meta("0f3a-1"))[:-1] + ', "system": "Windows"}\n',), "duplicate key", 1),
        ((meta("0f3a-1", step_num=-2),), "metadata step count", 1),
        ((meta("0f3a-1", step_num=17),), "metadata step count", 1),
        ((meta("0f3a-1", step_num=5), meta("0f3a-1", "Windows", step_num=5)), "metadata contradicts", 2),
        ((meta("0f3a-1", "BeOS"),), "system unknown", 1),
        ((meta("another"),), "system unknown", 1),
    ],
)
@pytest.mark.parametrize("verb", ["validate", "stats", "dedupe", "filter"])
def test_damage_to_metadata_is_named_and_stops_nothing(
    tmp_path: Path, entries: tuple[Any, ...], kind: str, line: int, verb: str
) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    found = found_in(folder, sound(), metadata=entries)
    assert (kind, line) in {(defect.kind, defect.line) for defect in found}
    more = {
        "dedupe": ["--out", str(tmp_path / "o.jsonl")],
        "filter": ["--where", "steps > 1", "--out", str(tmp_path / "o.jsonl")],
    }.get(verb, [])
    assert main(["dataset", verb, str(folder), *more]) == (verb == "validate")


def test_a_file_that_is_cut_short_is_a_defect_and_the_rest_is_read(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(json.dumps(sound(f"a{at}")).encode() + b"\n" for at in range(400)))
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    put(tmp_path / "b.jsonl", sound("last"))
    every: list[Defect] = []
    result = survey(find_files([tmp_path]), sink=every.append)
    (cut,) = (defect for defect in every if defect.kind == "unreadable file")
    assert cut.line > 1
    assert cut.file.endswith("a.jsonl.gz")
    assert 1 < result.tally.rows < 401
    out = tmp_path / "out" / "once.jsonl"
    out.parent.mkdir()
    kept = dedupe_rows(find_files([tmp_path]), out)
    assert '"last"' in out.read_text()
    assert any("a.jsonl.gz" in note for note in kept.notes)
    assert main(["dataset", "validate", str(tmp_path)]) == 1


def test_a_number_of_401_digits_breaks_nothing(tmp_path: Path) -> None:
    huge = damaged(own(alignment_score=10**400, efficiency_score=-(10**400)))
    put(tmp_path / "rows.jsonl", huge, sound("b"))
    assert describe(survey(find_files([tmp_path])).tally).rows == 2
    dedupe_rows(find_files([tmp_path]), tmp_path / "once.jsonl", keep="best")
    for words in (["validate"], ["stats"], ["validate", "--fix", "--out", str(tmp_path / "out.jsonl")]):
        assert main(["dataset", words[0], str(tmp_path / "rows.jsonl"), *words[1:]]) == (words[0] == "validate")


@pytest.mark.parametrize("garbage", [b"", b"\n\n", b"\x00\xff\x13garbage\n" * 5, b"null\n{}\n", b"a,b,c\n1,2,3\n"])
def test_garbage_is_not_taken_for_a_set(tmp_path: Path, garbage: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(garbage)
    assert main(["dataset", "validate", str(file)]) == 1
    assert "there is no trajectory in it" in capsys.readouterr().out


def test_errors_exit_with_1_and_warnings_only_when_strict(tmp_path: Path) -> None:
    warned = put(tmp_path / "warned.jsonl", damaged(DAMAGES["thought: a refusal"][0]))
    wrong = put(tmp_path / "wrong.jsonl", damaged(DAMAGES["code: fenced"][0]))
    out = str(tmp_path / "out.jsonl")
    assert main(["dataset", "validate", str(warned)]) == 0
    assert main(["dataset", "validate", str(warned), "--strict"]) == 1
    assert main(["dataset", "validate", str(wrong)]) == 1
    assert main(["dataset", "validate", str(wrong), "--fix", "--out", out]) == 0, "what was mended is no more"
    assert main(["dataset", "validate", out, "--strict"]) == 0


def test_sound_data_is_hardly_ever_warned_of(tmp_path: Path) -> None:
    made = write_set(tmp_path, 0.01, seed=3)
    result = survey(find_files([tmp_path]))
    assert sum(result.rows_with.get(kind, 0) for kind in WARNINGS) <= made.rows / 1000


def test_every_kind_is_told_in_words() -> None:
    assert set(KINDS) >= WARNINGS
    assert set(KINDS) >= FIXABLE
