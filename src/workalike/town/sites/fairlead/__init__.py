"""Fairlead: the jobs board."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.fairlead import account, applying, browse, tables, world
from workalike.town.sites.fairlead.tasks import TEMPLATES

_POST = ("POST",)

PINE = Skin(
    "pine",
    "train",
    {
        "hello": "Work that suits you",
        "what": "What",
        "zip": "Near ZIP code",
        "go": "Search jobs",
        "apply": "Apply now",
        "save": "Save job",
        "unsave": "Saved: take it off",
        "follow": "Follow employer",
        "unfollow": "Following: stop",
        "saved": "Saved jobs",
        "mine": "My applications",
        "profile": "My profile",
        "continue": "Continue",
        "submit": "Send application",
        "upload": "Choose a file",
        "step_fit": "First of all",
        "step_person": "About you",
        "step_documents": "Your résumé",
        "step_review": "Check and send",
    },
    ("fit", "person", "documents", "review"),
)

SIGNAL = Skin(
    "signal",
    "test",
    {
        "hello": "Your next job, with its pay on it.",
        "what": "Keywords",
        "zip": "ZIP",
        "go": "Show jobs",
        "apply": "Start application",
        "save": "Keep",
        "unsave": "Kept (undo)",
        "follow": "Follow",
        "unfollow": "Unfollow",
        "saved": "Kept",
        "mine": "Applications",
        "profile": "Candidate sheet",
        "continue": "Next",
        "submit": "Submit",
        "upload": "Attach a PDF",
        "step_fit": "Permission to work",
        "step_person": "Your details",
        "step_documents": "Documents",
        "step_review": "One last look",
    },
    ("fit", "documents", "person", "review"),
)

CORKBOARD = Skin(
    "corkboard",
    "test",
    {
        "hello": "hiring / wanted / found",
        "what": "looking for",
        "zip": "zip",
        "go": "Search",
        "apply": "I want this",
        "save": "\uf004",
        "unsave": "\uf7a9",
        "follow": "\uf005",
        "unfollow": "\uf089",
        "saved": "Hearts",
        "mine": "Letters",
        "profile": "Me",
        "continue": "\uf061",
        "submit": "Send it",
        "upload": "file",
        "step_fit": "1st",
        "step_person": "you",
        "step_documents": "paper",
        "step_review": "ok?",
        "chat_text": "Hiya! Looking for a job? Ask me anything.",
    },
    ("person", "fit", "documents", "review"),
    mess=MESS,
)

SITE = Site(
    name="fairlead",
    title="Fairlead Jobs",
    about="Open jobs with their pay, from employers in twelve cities.",
    folder=Path(__file__).parent,
    also_folders=(Path(__file__).parents[2] / "refkit",),
    skins=(PINE, SIGNAL, CORKBOARD),
    pages=(
        PageRoute("/", browse.front),
        PageRoute("/jobs", browse.results),
        PageRoute("/suggest", browse.suggestions),
        PageRoute("/job/{id}", browse.posting),
        PageRoute("/employers", browse.employers),
        PageRoute("/employer/{slug}", browse.employer),
        PageRoute("/help", browse.help_page),
        PageRoute("/saved", account.saved),
        PageRoute("/saved", account.save, _POST),
        PageRoute("/follow", account.follow, _POST),
        PageRoute("/alerts", account.alert, _POST),
        PageRoute("/applications", account.applications),
        PageRoute("/application/{number}", account.application),
        PageRoute("/application/{number}/withdraw", account.withdraw, _POST),
        PageRoute("/profile", account.profile),
        PageRoute("/apply/start/{id}", applying.start, _POST),
        PageRoute("/apply/touch", applying.WIZARD.touch, _POST),
        PageRoute("/apply/upload", applying.upload, _POST),
        PageRoute("/apply/submit", applying.submit, _POST),
        PageRoute("/apply/{step}", applying.show),
        PageRoute("/apply/{step}", applying.save, _POST),
    ),
    tables=tables.TABLES,
    build=world.build,
    begin=tables.begin,
    entries=world.entries,
    templates=TEMPLATES,
    crossed=tables.CROSSED,
)
