"""The two shops: what each charges and promises."""

from __future__ import annotations

from workalike.town.shopkit.shop import DeliveryWay, Promo, Shop

MARLOW = Shop(
    name="marlow",
    title="Marlow & Finch",
    prefix="MF",
    share=0.82,
    level=1.04,
    sale=0.2,
    deliveries=(DeliveryWay("Standard", 595, 0), DeliveryWay("Express", 1450, -1), DeliveryWay("Green", 295, 3)),
    free_over=7500,
    returns_days=60,
    gift_wrap=450,
    promos=(Promo("FINCH10", 10, 5000), Promo("NEST15", 15, 12000)),
    phone="1-800-555-0142",
    hours="Monday to Friday, 8 a.m. to 6 p.m.",
)

KESTREL = Shop(
    name="kestrel",
    title="Kestrel Market",
    prefix="KM",
    share=0.8,
    level=0.97,
    sale=0.3,
    deliveries=(DeliveryWay("Economy", 399, 0), DeliveryWay("Priority", 999, -1), DeliveryWay("Pickup point", 199, 1)),
    free_over=3900,
    returns_days=30,
    gift_wrap=300,
    promos=(Promo("HOVER5", 5, 0), Promo("WING12", 12, 9000)),
    phone="1-800-555-0177",
    hours="every day, 7 a.m. to 10 p.m.",
)

SHOPS = {shop.name: shop for shop in (MARLOW, KESTREL)}
