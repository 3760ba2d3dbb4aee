"""What the pages of the city say about parking tickets."""

from __future__ import annotations

import re
from datetime import datetime

from tests.town.second_reader.page import Visitor
from tests.town.second_reader.venues import Reader, Said, rounded
from tests.town.second_reader.wording import TODAY, cents

SITE = "alderbrook"
BLANKS = {
    "street": r"[A-Z]\w+ [A-Z]\w+",
    "plate": r"[A-Z]+\d+",
    "state": r"[A-Z]{2}",
    "method": "credit card|debit card",
}


class Citation:
    """A citation, with what it comes to today by the city's own words."""

    def __init__(self, web: Visitor, path: str) -> None:
        page = web.get(SITE, path).one("main").text
        match = re.search(
            r"Issued \w+, (\w+ \d+, \d{4}), .+Where \d+ (.+?) What for (\S+): (.+?) Fine (\$[\d.]+\d)", page
        )
        assert match, page
        issued, self.street, code, self.what, fine = match.groups()
        self.open = "Pay this citation" in page
        assert self.open != ("Nothing is due for this citation any more" in page)
        rules = web.get(SITE, "/parking/rules")
        assert "within ten days of the day on the citation pays sixty percent" in rules.text
        assert "after thirty days the late penalty comes on top" in rules.text
        (late,) = [row.every("td")[3].text for row in rules.every("table tr")[1:] if row.every("td")[0].text == code]
        days = (TODAY - datetime.strptime(issued, "%B %d, %Y").date()).days
        self.due = rounded(cents(fine) * (60 if days <= 10 else 100), 100) + (cents(late) if days > 30 else 0)
        self.rules = rules.text

    def total(self, method: str) -> int:
        assert "A credit card costs 2.4 percent of what is due, a debit card one dollar and twenty-five" in self.rules
        return self.due + (rounded(self.due * 24, 1000) if method == "credit card" else 125)


def citations(web: Visitor, plate: str) -> list[Citation]:
    page = web.get(SITE, "/citations", q=plate)
    return [Citation(web, link.attributes["href"]) for link in page.every("td a")]


def asked(web: Visitor, said: Said) -> Citation:
    known = citations(web, said["plate"])
    (one,) = [each for each in known if (each.street, each.what.lower()) == (said["street"], said["what"])]
    return one


def due(web: Visitor, said: Said) -> dict[str, object]:
    return {"total": asked(web, said).total(said["method"])}


def all_due(web: Visitor, said: Said) -> dict[str, object]:
    still = [each for each in citations(web, said["plate"]) if each.open]
    return {"citations": len(still), "total": sum(each.total(said["method"]) for each in still)}


def settled(web: Visitor, said: Said) -> dict[str, object]:
    return {"": "done" if asked(web, said).open else "unavailable"}


READERS: dict[str, Reader] = {"due": due, "all-due": all_due, "settled": settled}
