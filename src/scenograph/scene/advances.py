"""How wide letters are in the proportional fonts, 1/1000 em: for whoever must tell widths without the engine.

Inter at weight 500, the cut for text, and Kalam, which looks like handwriting; a test compares the tables with the font
files. What Kalam has no letter for is drawn in Inter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

_RANGES: Mapping[int, str] = MappingProxyType(
    {
        ord("0"): "646 415 616 627 656 603 630 571 629 630",  # digits
        ord("A"): (
            "709 657 733 722 603 589 748 745 272 575 688 565 913 756 767 642 769 648 646 653 740 709 1003 701 696 641"
        ),  # Latin
        ord("a"): (
            "568 618 577 618 587 379 620 602 252 252 559 252 888 602 604 618 618 387 539 340 602 575 829 557 575 559"
        ),  # Latin
        0x00C6: "1003",  # Æ
        0x00D0: "743",  # Ð
        0x00D8: "767",  # Ø
        0x00DE: "647 630",  # Þß
        0x00E6: "915",  # æ
        0x00F0: "588",  # ð
        0x00F8: "604",  # ø
        0x00FE: "618",  # þ
        0x0391: (
            "709 657 580 702 603 641 745 767 272 688 709 913 756 667 767 745 642 1000 690 653 696 885 701 885 "
            "774 272 696 674 544 602 287 602 674 600 575 591 544 518 602 623 287 546 655 600 596 559 604 616 "
            "618 575 633 480 602 747 580 795 814"
        ),  # Greek
        0x0410: (
            "709 646 657 580 835 603 996 627 756 756 688 749 913 745 767 745 642 733 653 650 831 701 736 703 "
            "968 987 821 895 654 733 1024 648 568 599 569 441 629 587 828 502 602 602 556 585 784 599 604 596 "
            "618 577 480 575 717 557 617 585 835 854 655 760 569 577 851 562"
        ),  # Cyrillic
    }
)
ADVANCES: Mapping[str, int] = MappingProxyType(
    {chr(first + number): int(width) for first, row in _RANGES.items() for number, width in enumerate(row.split())}
)
_HAND_RANGES: Mapping[int, str] = MappingProxyType(
    {
        ord("0"): "500 314 581 571 551 537 556 461 602 488",
        ord("A"): (
            "608 637 599 645 585 523 611 670 310 468 591 546 789 677 613 543 641 584 531 535 598 532 782 624 575 620"
        ),
        ord("a"): (
            "469 525 445 499 450 376 475 536 238 254 469 245 796 533 453 478 474 331 426 387 481 422 673 427 469 440"
        ),
    }
)
HAND_ADVANCES: Mapping[str, int] = MappingProxyType(
    {chr(first + number): int(width) for first, row in _HAND_RANGES.items() for number, width in enumerate(row.split())}
)

# How much nearer (negative) or farther two letters stand, to 20/1000 em: first letters, then the second ones by value.
_KERNING: Mapping[str, str] = MappingProxyType(
    {
        "_": "-100:1 -80:vyV -60:T4 -40:CGOQU035689 20:i 40:bhklmnprBDEFHIKLMNPR 100:j",
        ".,": "-80:1 -40:CGOQTY -20:035678",
        "-+": "-80:TY -40:AJVWX -20:x27",
        "=": "-100:Y -60:AVWX -40:vxyT",
        "A": "-80:TVY -60:Wvwy -40:CGOQ1 -20:Ut 20:A",
        "Bgq": "-60:T",
        "CJU": "-20:A",
        "DOQ": "-40:ATVXY",
        "F": "-100:A -60:J -40:cdegoquvyz -20:amnpr",
        "G": "-40:T -20:AVY",
        "HIMNdl1": "20:t",
        "K": "-60:w -40:CGOQcdegoquvy -20:S 20:i",
        "L": "-100:T -80:V -60:Yvy -40:1 -20:CGOQWt",
        "P": "-100:J -80:A",
        "R": "-20:VYcdegoq",
        "S38": "-20:X",
        "T": "-100:Jt -80:Aacdegoqsu7 -60:mnprvwxy4 -40:CGOQz06 20:Y",
        "V": "-100:J -80:A -60:acdegoq -40:CGOQs4 -20:06 20:V",
        "W": "-60:AJacdgoq -40:emnprs4 20:W",
        "X": "-60:a -40:CGOQT046 -20:Scdegoq38",
        "Y": "-80:Aacdegoq -60:s4 -40:CGJOQmnpru -20:i 20:T",
        "Z": "-40:CGOQ",
        "ahmn": "-80:Y -60:TVW -40:1 -20:vy",
        "bcop": "-100:Y -80:T -60:VW -40:A1 -20:Xvwxyz",
        "e": "-100:Y -80:T -60:V -40:AW1 -20:Xvwxyz 20:a",
        "f": "-60:J4 -40:Aft -20:acdegoqs 20:w",
        "k": "-60:T -40:4 -20:cdegoq",
        "r": "-60:JT -40:AZ -20:cdegoq 20:BDEFHIKLMNPRbfhjklmnprtvxy",
        "s": "-80:TY -40:VW",
        "t": "-40:T -20:Yf4 20:vwy",
        "u": "-60:TY",
        "vy": "-60:AJ -40:TY -20:cdegoq 20:ft",
        "w": "-60:AJT -40:Z -20:cdegoq",
        "x": "-60:T -20:cdegoq 20:ft",
        "z": "-40:T -20:cdegoq",
        "09": "-40:XY -20:V7 20:t",
        "2": "-20:4",
        "4": "-20:1",
        "7": "-100:AJ -60:cdegmnopqr4 -40:as -20:0368 20:7",
    }
)
# The same before marks, by these: the letters that stand before them.
_BEFORE_MARKS: Mapping[str, str] = MappingProxyType(
    {
        "_": "-160:7 -80:vyV -60:JTU -40:uCDFOQ069 -20:f",
        ".,": "-120:7 -100:VW -80:w -60:fr -40:vyDFJOPQTUY46 -20:03589",
        "-+": "-100:K -80:LY -60:TV -40:kruvyAPWXZ -20:ftx",
        "=": "-100:Y -60:AVWX -40:vxyKT",
        "/": "-60:vyJTU -40:ruDOQV -20:fW 20:A",
    }
)


def _pairs(rows: Mapping[str, str]) -> Iterator[tuple[str, str, int]]:
    for named, row in rows.items():
        for value, letters in (entry.split(":") for entry in row.split()):
            yield from ((one, letter, int(value)) for one in named for letter in letters)


KERNING: Mapping[tuple[str, str], int] = MappingProxyType(
    {(first, second): value for first, second, value in _pairs(_KERNING)}
    | {(letter, mark): value for mark, letter, value in _pairs(_BEFORE_MARKS)}
)


@lru_cache(maxsize=4096)
def advance(char: str) -> int:
    """The width of a letter or a digit, that of its plain form where it has an accent; 0 where it is not known."""
    return ADVANCES.get(char) or ADVANCES.get(plain(char), 0)


@lru_cache(maxsize=4096)
def hand_advance(char: str) -> int:
    """The same in the font that looks like handwriting."""
    return HAND_ADVANCES.get(char) or HAND_ADVANCES.get(plain(char)) or advance(char)


def kerning(first: str, second: str) -> int:
    """By how much two letters stand nearer (negative) or farther; 0 where either is empty."""
    return KERNING.get((plain(first), plain(second)), 0) if first and second else 0


@lru_cache(maxsize=4096)
def plain(char: str) -> str:
    """A letter without its accents."""
    return unicodedata.normalize("NFD", char)[0]
