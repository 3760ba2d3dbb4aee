"""Marlow & Finch: a department store for the home, a little dearer and careful about it."""

from __future__ import annotations

from pathlib import Path

from workalike.town.shopkit.pages import RETAIL
from workalike.town.shopkit.shops import MARLOW
from workalike.town.shopkit.tasks import TEMPLATES
from workalike.town.site import Skin, messy

LINEN = Skin(
    "linen",
    "train",
    {
        "cart": "Basket",
        "add": "Add to basket",
        "save": "Save for later",
        "checkout": "Proceed to checkout",
        "continue": "Continue",
        "place": "Place order",
        "summary": "Your order",
        "about": "About this piece",
        "specs": "Details",
        "near": "Goes well with",
        "code": "Promotion code",
        "step_contact": "Contact details",
        "step_address": "Delivery address",
        "step_delivery": "Delivery method",
        "step_payment": "Payment",
        "step_review": "Check your order",
        "paper": "#f3eee5",
        "newsletter_title": "Letters from the nest",
    },
    ("contact", "address", "delivery", "payment", "review"),
)

HARBOUR = Skin(
    "harbour",
    "test",
    {
        "cart": "Bag",
        "add": "Add to bag",
        "save": "Add to favourites",
        "checkout": "Checkout",
        "continue": "Save and continue",
        "place": "Buy now",
        "summary": "In your bag",
        "about": "The story",
        "specs": "Specifications",
        "near": "Customers also looked at",
        "code": "Voucher",
        "step_contact": "How can we reach you?",
        "step_address": "Where should it go?",
        "step_delivery": "How should it travel?",
        "step_payment": "How would you like to pay?",
        "step_review": "All correct?",
        "after_add": "stay",
        "paper": "#eef2f5",
        "newsletter_title": "10 % for your first letter",
    },
    ("address", "delivery", "contact", "payment", "review"),
)

QUAY = Skin(
    "quay",
    "test",
    {
        "cart": "Tote",
        "add": "Put in tote",
        "save": "Keep for another day",
        "checkout": "On to payment",
        "continue": "Keep going",
        "place": "Send my order",
        "summary": "In your tote",
        "about": "Why we like it",
        "specs": "The particulars",
        "near": "From the same shelf",
        "code": "Reward code",
        "step_contact": "Keeping in touch",
        "step_address": "Your address",
        "step_delivery": "Choose a delivery",
        "step_payment": "Your card",
        "step_review": "One last look",
        "paper": "#f2efe9",
        "newsletter_title": "News from the quay",
    },
    ("delivery", "contact", "address", "payment", "review"),
    layout="harbour",
)

JUMBLE = messy(
    HARBOUR,
    "jumble",
    cart="\uf290",
    add="\uf217",
    save="\uf02e",
    chat_text="Hi! Marla here. Looking for something for your home?",
    strip="Only today: free wrapping paper with every order over $200. Terms apply.",
)

SITE = RETAIL.site(
    MARLOW,
    "Things for a home well lived in: kitchen, clothing, outdoors, electronics and more.",
    Path(__file__).parent,
    (LINEN, HARBOUR, QUAY, JUMBLE),
    TEMPLATES,
)
