"""Kestrel Market: the large, plain, cheap one."""

from __future__ import annotations

from pathlib import Path

from workalike.town.shopkit.pages import RETAIL
from workalike.town.shopkit.shops import KESTREL
from workalike.town.site import Skin, messy

AMBER = Skin(
    "amber",
    "train",
    {
        "cart": "Cart",
        "add": "Add to cart",
        "save": "Add to wish list",
        "checkout": "Go to checkout",
        "continue": "Next",
        "place": "Place your order",
        "summary": "Order summary",
        "about": "About this item",
        "specs": "Technical details",
        "near": "Compare with similar items",
        "code": "Coupon code",
        "step_contact": "1. Contact",
        "step_address": "2. Shipping address",
        "step_delivery": "3. Shipping speed",
        "step_payment": "4. Payment method",
        "step_review": "5. Review items",
        "paper": "#f7f7f5",
        "newsletter_title": "Deals before breakfast",
    },
    ("contact", "address", "delivery", "payment", "review"),
)

MONO = Skin(
    "mono",
    "test",
    {
        "cart": "Trolley",
        "add": "Add to trolley",
        "save": "Remember this",
        "checkout": "Pay for these",
        "continue": "Continue to next step",
        "place": "Confirm and pay",
        "summary": "Your trolley",
        "about": "Description",
        "specs": "Facts",
        "near": "More like this",
        "code": "Discount code",
        "step_contact": "Contact",
        "step_address": "Address",
        "step_delivery": "Delivery",
        "step_payment": "Card",
        "step_review": "Overview",
        "after_add": "stay",
        "paper": "#f2f2f2",
        "newsletter_title": "Stay in the loop",
    },
    ("delivery", "address", "contact", "payment", "review"),
)

SLATE = Skin(
    "slate",
    "test",
    {
        "cart": "Crate",
        "add": "Add to crate",
        "save": "Pin this",
        "checkout": "Start checkout",
        "continue": "Continue",
        "place": "Order with payment",
        "summary": "Your crate",
        "about": "What it is",
        "specs": "Data sheet",
        "near": "Nearby on the shelf",
        "code": "Deal code",
        "step_contact": "Your contact",
        "step_address": "Ship to",
        "step_delivery": "Ship by",
        "step_payment": "Pay with card",
        "step_review": "Check and order",
        "paper": "#e9edf1",
        "newsletter_title": "Drops and deals",
    },
    ("address", "contact", "delivery", "payment", "review"),
    layout="mono",
)

HEAP = messy(
    MONO,
    "heap",
    cart="\uf07a",
    add="\uf055",
    save="\uf005",
    strip="Members get more. Download the app and scan the code at the counter.",
)

SITE = RETAIL.site(
    KESTREL,
    "Everything, everyday prices. Free delivery over $39.",
    Path(__file__).parent,
    (AMBER, MONO, SLATE, HEAP),
)
