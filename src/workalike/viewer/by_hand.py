"""Questions by hand: for whoever is the model, every question that waits with its pictures, and a box for the reply. It
reads and writes the folder of questions (`models/questions.py`), whoever asks there: verify, run, act, annotate."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.models.questions import DONE, PAGE, REPLY, Question, waiting
from workalike.store.files import write_file
from workalike.viewer.collection import QuestionCollection
from workalike.viewer.library import Library
from workalike.viewer.replies import done_reply, json_reply, picture_reply

LONGEST = 2_000_000
_PICTURES = (".png", ".jpg", ".webp", ".gif")


def routes(library: Library) -> list[BaseRoute]:
    """Questions are told apart by their place in the folder."""

    def folder_of(request: Request) -> Path:
        found = library.collection(request.path_params["key"])
        if not isinstance(found, QuestionCollection):
            raise BadInput(f"{found.place} is no folder of questions")
        return found.path

    def questions(request: Request) -> Response:
        folder = folder_of(request)
        return json_reply([_place(folder, question) for question in waiting(folder)])

    def question(request: Request) -> Response:
        asked = _find(folder_of(request), request.query_params.get("place", ""))
        names = sorted(path.name for path in asked.folder.iterdir() if path.suffix in _PICTURES)
        return json_reply({"text": asked.page.read_text("utf-8", "replace"), "pictures": names})

    def picture(request: Request) -> Response:
        asked = _find(folder_of(request), request.query_params.get("place", ""))
        name = request.query_params.get("name", "")
        if name not in {path.name for path in asked.folder.iterdir()} or name in (PAGE, REPLY, DONE):
            raise HTTPException(404)
        return picture_reply((asked.folder / name).read_bytes(), request)

    async def reply(request: Request) -> Response:
        asked = _find(folder_of(request), request.query_params.get("place", ""))
        text = await request.body()
        if not text.strip() or len(text) > LONGEST:
            raise BadInput(f"a reply has from 1 to {LONGEST:,} bytes")
        write_file(asked.folder / REPLY, text, private=True)
        write_file(asked.folder / DONE, b"", private=True)
        return done_reply()

    return [
        Route("/api/questions/{key}", questions),
        Route("/api/question/{key}", question),
        Route("/asked/{key}", picture),
        Route("/api/reply/{key}", reply, methods=["POST"]),
    ]


def _place(folder: Path, question: Question) -> str:
    return question.folder.relative_to(folder).as_posix()


def _find(folder: Path, place: str) -> Question:
    """The question of that place, among those that wait: no other path is ever looked at."""
    for question in waiting(folder):
        if _place(folder, question) == place:
            return question
    raise HTTPException(404, "that question no longer waits for a reply")
