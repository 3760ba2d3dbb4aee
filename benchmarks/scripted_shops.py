"""What the scripted bot can do in the two shops: find what is named, choose its colour and size, fill carts, order,
compare, save, track and cancel."""

from __future__ import annotations

import html
import json
import re

import msgspec

from benchmarks.scripted_reading import NUMBERS, Errand, Stop, after, links, money, prose, runs, slug

SHOPS = {"Marlow & Finch": "marlow", "Kestrel Market": "kestrel"}
_OPTION = r'<(?:input|button)\s+type="radio"\s+name="{0}"\s+value="([^"]*)"'


class Ware(msgspec.Struct, frozen=True):
    """A product that an instruction names: where it was found, and the words behind its name and before it."""

    site: str
    slug: str
    name: str
    behind: str
    before: str


def shop(errand: Errand) -> str:
    """Whatever can be asked for in a shop, told apart by the answer's fields and a few words."""
    fields, text = errand.fields, errand.text
    if number := re.search(r"\b(?:MF|KM)\d{6}\b", text):
        zip_code = errand.find(r"\b(\d{5})\b")
        return f"arrival = {after(errand.get(_site(errand), '/track', number=number[0], zip=zip_code), 'Expected on')}"
    if errand.says(r"\bcancel\b") and "@" in text:
        return _cancel(errand)
    if "“" in text:
        return _by_shelf(errand)
    if "shop" in fields or "sold" in fields or any(" at " in name for name in fields) or _wherever(errand):
        return _compare(errand)
    if fields in (("product",), ("products",)):
        return _rank(errand, wares(errand, _site(errand), text))
    if fields == ("price",):
        return f"price = ${price(_page(errand, _one(errand, _site(errand)))):.2f}"
    if errand.says(r"\b(saved?|remember|wish list)\b"):
        return _save(errand)
    parts = re.split(r"(?<=\.) (?=(?:Then add|Marlow & Finch|Kestrel Market))", text)
    for part in parts if all(any(name in part for name in SHOPS) for part in parts) else [text]:
        site = next(site for name, site in SHOPS.items() if name in part)
        answer = _fill(errand, site, wares(errand, site, part))
    return answer


def tested(errand: Errand) -> str:
    """The runner-up of a test in the paper, into the cart."""
    kind = errand.find(r"(?:of the|test of|test) ([a-z]{3,}(?: [a-z]+)?)(?: came| in the| in The|,|:)")
    story = next((address for address, said in links(errand.get("tidings", "/search", q=kind), "/read/test-")), "")
    page = prose(errand.get("tidings", story))
    second = re.search(r"The ((?:(?!\. )[^.“])*?) got \d+ points and lost", page)
    if second is None:
        raise Stop("impossible")
    site = _site(errand)
    return _fill(errand, site, wares(errand, site, second[1]))


# Finding


def wares(errand: Errand, site: str, text: str) -> list[Ware]:
    """The products that a text names, in its order: rows of capitalised words that the shop's search knows."""
    bare = text
    for name in SHOPS:
        bare = bare.replace(name, "·" * len(name))
    found: dict[int, tuple[str, str]] = {}
    for row in runs(bare):
        if len(row.split()) < 3 or any(row in name for _, name in found.values()):
            continue
        hits = list(links(errand.get(site, "/search", q=row), "/p/"))
        named = {name: address for address, name in hits if name.lower() in bare.lower()}
        if named:
            name = max(named, key=len)
            found[bare.lower().index(name.lower())] = (named[name].removeprefix("/p/"), name)
    starts = sorted(found)
    made = []
    for at, until in zip(starts, [*starts[1:], len(bare)], strict=False):
        where, name = found[at]
        made.append(Ware(site, where, name, bare[at + len(name) : until], bare[:at]))
    return made


def _one(errand: Errand, site: str) -> Ware:
    found = wares(errand, site, errand.text)
    if not found:
        raise Stop("impossible")
    return found[0]


def _page(errand: Errand, ware: Ware) -> str:
    return errand.get(ware.site, f"/p/{ware.slug}")


def price(page: str) -> float:
    """The price that stands first below a product's name."""
    return money(page[page.index("<h1") :])


def _site(errand: Errand) -> str:
    return next(site for name, site in SHOPS.items() if name in errand.text)


def _wherever(errand: Errand) -> bool:
    return all(name in errand.text for name in SHOPS) and errand.says(r"\bcheaper\b|\bless\b|\blower\b")


# Buying


def _options(page: str) -> dict[str, list[str]]:
    """What a product's page lets one choose."""
    found = {}
    for name in ("first", "second"):
        values = re.findall(_OPTION.format(name), page)
        if select := re.search(rf'(?s)<select[^>]*name="{name}".*?</select>', page):
            values = re.findall(r'<option[^>]*value="([^"]+)"', select[0])
        if values:
            found[name] = [html.unescape(value) for value in values]
    return found


def _choose(errand: Errand, ware: Ware) -> dict[str, str]:
    """The variant that is asked for, or the first in stock where nothing is; stops where it is sold out."""
    choices = _options(_page(errand, ware))
    chosen = {
        name: value
        for name, values in choices.items()
        for value in [_named(ware.behind, values) or _named(_shared(errand.text), values)]
        if value
    }
    open_names = [name for name in choices if name not in chosen]
    tried = [chosen]
    for name in open_names:
        tried = [{**before, name: value} for before in tried for value in choices[name]]
    for variant in tried:
        stock = json.loads(errand.get(ware.site, f"/p/{ware.slug}/stock", **variant) or "{}")
        if stock.get("left", 1):
            return variant
    raise Stop("unavailable")


def _named(text: str, values: list[str]) -> str:
    """The value that a text speaks of: `in sage, size L`, `waist 36`, `scent cedar`, `queen size`."""
    for value in sorted(values, key=len, reverse=True):
        word = re.escape(value.lower())
        pattern = rf"(?:\b(?:in|size|waist|scent|wash|and|colou?r)|[(,])[ :]*{word}(?!\.?\d|\w|/)|\b{word} size"
        if re.search(pattern, text.lower()):
            return value
    return ""


def _shared(text: str) -> str:
    """What holds for all things of a list."""
    match = re.search(r"\b(?:both|all|everything)(?: of them| in|:)* ([\w ]+)", text)
    return f"in {match[1]}" if match else ""


def _quantity(ware: Ware) -> int:
    match = re.search(rf"\b(\d+|{'|'.join(NUMBERS)})\s*(?:[x×]|of|pieces of|units of)?\s*(?:the )?$", ware.before, re.I)
    match = match or re.search(r"\bquantity (\d+)", ware.behind) or re.search(r"\b(\d+) of each", ware.before)
    if match is None:
        return 1
    return int(match[1]) if match[1].isdigit() else NUMBERS[match[1].lower()]


def _fill(errand: Errand, site: str, items: list[Ware]) -> str:
    """Put things into the cart, and go on as far as is asked for."""
    if not items:
        raise Stop("impossible")
    missing = []
    for ware in items:
        try:
            variant = _choose(errand, ware)
        except Stop as stop:
            if "missing" not in errand.fields or str(stop) != "unavailable":
                raise
            missing.append(ware.name)
            continue
        errand.post(site, "/cart/add", {"product": ware.slug, **variant, "quantity": _quantity(ware)})
    if code := re.search(r"\b[A-Z]{3,}\d+\b", errand.text):
        errand.post(site, "/cart/promo", {"code": code[0]})
    if errand.says(r"(?<!without )(?<!no )gift[ -]wrap") and not errand.says(r"(without|no) gift[ -]wrap"):
        errand.post(site, "/cart/gift", {"gift": 1})
    if "total" in errand.fields:
        return f"total = ${money(after(errand.get(site, '/cart'), 'Total')):.2f}"
    if errand.task.persona and errand.says(r"order|place|card"):
        _order(errand, site)
    elif _to_checkout(errand):
        errand.get(site, "/checkout")
    return f"missing = {' | '.join(missing)}" if "missing" in errand.fields else ""


def _to_checkout(errand: Errand) -> bool:
    if errand.says(r"(no|not|n't)\b[^.,;]*\bcheck ?out"):
        return False
    return errand.says(r"checkout|\bbuy\b|\bpurchase\b|\border\b")


def _order(errand: Errand, site: str) -> None:
    """Order as a guest with the user's data."""
    who = errand.task.persona
    errand.get(site, "/checkout")
    errand.post(site, "/checkout/contact", {"email": who["email"], "phone": who["phone"]})
    address = {name: who[name] for name in ("name", "street", "city", "zip")} | {"region": who["state"]}
    errand.post(site, "/checkout/address", address)
    ways = re.findall(_OPTION.format("delivery"), errand.get(site, "/checkout/delivery"))
    wanted = next((way for way in ways if errand.says(rf"\b{way}\b")), ways[0] if ways else "")
    errand.post(site, "/checkout/delivery", {"delivery": wanted})
    errand.post(site, "/checkout/payment", {"card": who["card_number"][-4:]})
    errand.post(site, "/checkout/place")


def _by_shelf(errand: Errand) -> str:
    """The cheapest or best rated of a shelf, with properties that its filters know."""
    best: list[tuple[float, str, Ware]] = []
    named = {name: site for name, site in SHOPS.items() if name in errand.text}
    for shelf, told in re.findall(r"“([A-Z][^“”:]+)”((?:(?!product under).)*)", errand.text):
        for name, site in named.items():
            query: dict[str, object] = {"sort": "rating" if errand.says("rate") else "price-low"}
            query |= _filters(errand.get(site, f"/c/{slug(shelf)}"), told)
            if errand.says(r"budget|max|at most|under \$|up to \$"):
                query["max"] = int(money(errand.text))
            listed = next(iter(links(errand.get(site, f"/c/{slug(shelf)}", **query), "/p/")), None)
            if listed:
                ware = Ware(site, listed[0].removeprefix("/p/"), listed[1], "", "")
                best.append((price(_page(errand, ware)), name, ware))
    if not best:
        raise Stop("impossible")
    if "product" in errand.fields:
        least, name, ware = min(best, key=lambda each: each[0])
        return f"product = {ware.name}; shop = {name}; price = ${least:.2f}"
    return _fill(errand, best[0][2].site, [ware for _, _, ware in best])


def _filters(page: str, told: str) -> dict[str, str]:
    """The boxes of a shelf's filters that a text asks for by name and value."""
    found = {}
    for group in re.findall(r"(?s)<fieldset.*?</fieldset>|<details.*?</details>", page):
        title = re.search(r"(?s)<(?:legend|summary)[^>]*>(.*?)</", group)
        for name, value in re.findall(r'<input\s+type="checkbox"\s+name="([^"]+)"\s+value="([^"]*)"', group):
            plain = f"{prose(title[1]) if title else ''}:? {re.escape(html.unescape(value))}"
            if re.search(rf"{plain}(?!\w)", told, re.I):
                found[name] = html.unescape(value)
    return found


# Comparing, and what belongs to accounts


def _compare(errand: Errand) -> str:
    """One product in both shops."""
    found = {}
    for name, site in SHOPS.items():
        for ware in wares(errand, site, errand.text)[:1]:
            page = _page(errand, ware)
            found[name] = (_cost(errand, page, name), ware, page)
    if errand.fields == ("sold",):
        return f"sold = {'yes' if len(found) == 2 else 'no'}"
    if not found:
        raise Stop("impossible")
    least, most = min(found, key=lambda name: found[name][0]), max(found, key=lambda name: found[name][0])
    if not errand.fields:
        return _fill(errand, SHOPS[least], [found[least][1]])
    if any("rating" in field for field in errand.fields):
        stars = {name: _rating(page) for name, (_, _, page) in found.items()}
        values = {f"rating at {name}": f"{value}" for name, value in stars.items()} | {
            "shop": max(stars, key=stars.__getitem__)
        }
    else:
        values = {f"price at {name}": f"${cost:.2f}" for name, (cost, _, _) in found.items()} | {"shop": least}
        values |= dict.fromkeys(("price", "total"), f"${found[least][0]:.2f}")
        values["difference"] = f"${found[most][0] - found[least][0]:.2f}"
    return "; ".join(f"{field} = {values.get(field, '')}" for field in errand.fields)


def _cost(errand: Errand, page: str, name: str) -> float:
    """What a product costs, with delivery or wrapping where the instruction speaks of them."""
    cost = price(page)
    if errand.says(r"\bwrap"):
        help_page = prose(errand.get(SHOPS[name], "/help/delivery")) + prose(errand.get(SHOPS[name], "/help/gifts"))
        cost += money(help_page[max(help_page.lower().find("wrapp"), 0) :])
    elif errand.says(r"delivery|shipping") and not errand.says("not delivery"):
        way = errand.find(rf"(?:{name} \((\w+)\)|(?:\w+) delivery at {name})") or errand.find(
            rf"(\w+) delivery at {name}"
        )
        fee = re.search(rf"(?i){way} delivery \((free|\$[\d.]+)\)", prose(page))
        cost += money(fee[1]) if fee and fee[1].lower() != "free" else 0
    return cost


def _rating(page: str) -> float:
    match = re.search(r"([\d.]+) out of 5", page[page.index("<h1") :])
    return float(match[1]) if match else 0


def _rank(errand: Errand, items: list[Ware]) -> str:
    """The cheaper or lighter of two, or several from the cheapest on."""
    if len(items) < 2:
        raise Stop("impossible")

    def worth(ware: Ware) -> float:
        page = _page(errand, ware)
        if not errand.says(r"light|weigh"):
            return price(page)
        match = re.match(r"([\d.,]+) (k?g)", after(page, "Weight"))
        return float(match[1].replace(",", "")) * (1000 if match[2] == "kg" else 1) if match else 0

    ranked = [ware.name for ware in sorted(items, key=worth)]
    return f"product = {ranked[0]}" if errand.fields == ("product",) else f"products = {' | '.join(ranked)}"


def _sign_in(errand: Errand, site: str) -> None:
    mail = errand.find(r"([\w.]+@[\w.]+\w)")
    errand.post(site, "/sign-in", {"email": mail, "password": errand.find(r"\b([a-z]+-\d{4})\b")})


def _cancel(errand: Errand) -> str:
    """Cancel the order that holds a named product."""
    site = _site(errand)
    _sign_in(errand, site)
    for address, _ in links(errand.get(site, "/account"), "/order/"):
        page = errand.get(site, address)
        items = re.findall(r"\d+ × ([^<]+)|<a[^>]*href=\"/p/[^>]*>([^<]+)<", page)
        names = [" ".join(html.unescape("".join(pair)).split()) for pair in items]
        if any(name and name in errand.text for name in names):
            errand.post(site, f"{address}/cancel")
            return ""
    raise Stop("impossible")


def _save(errand: Errand) -> str:
    site = _site(errand)
    if "@" in errand.text and re.search(r"[a-z]+-\d{4}", errand.text):
        _sign_in(errand, site)
    for ware in wares(errand, site, errand.text):
        errand.post(site, "/saved", {"product": ware.slug})
    return ""
