"""Documents that are heavy by what their elements say or hold: texts, icons, columns, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from worst.parts import Json, document, edges, frame, nodes

IDEOGRAPHS = 0x4E00
IDEOGRAPHS_TOTAL = 20_900
SCRIPTS = "aяשعहท漢한🙂"


def ideographs(labels: int = 20, each: int = 1_900) -> Json:
    """Labels of different CJK characters."""
    texts = ["".join(_ideograph(number * each + index) for index in range(each)) for number in range(labels)]
    return document([node | {"label": text} for node, text in zip(nodes(labels), texts, strict=True)])


def mixtures(labels: int = 200, each: int = 2_000) -> Json:
    """Labels whose script changes from letter to letter."""
    text = (SCRIPTS * each)[:each]
    return document([node | {"label": f"{node['id']}{text}"[:each]} for node in nodes(labels)])


def words(labels: int = 200, each: int = 2_000) -> Json:
    """Long labels of short words, every one different."""
    chance = Random(2)  # noqa: S311 (no secret)
    texts = [" ".join(f"{chance.randrange(10**5)}" for _ in range(each))[:each] for _ in range(labels)]
    return document([node | {"label": text} for node, text in zip(nodes(labels), texts, strict=True)])


def unbroken(labels: int = 200, each: int = 2_000) -> Json:
    """Labels of one word of all their letters, on nodes of a given narrow width."""
    row = nodes(labels, layout={"width": 40, "height": 40})
    return document([node | {"label": f"{node['id']}{'W' * each}"[:each]} for node in row])


def lines(labels: int = 200, each: int = 1_000) -> Json:
    """Labels of a line a letter, on edges."""
    drawn = edges((((one, one + 1)) for one in range(labels)), label="\n".join("x" * each))
    return document([*nodes(labels + 1), *drawn])


def icons(count: int = 2_500) -> Json:
    """Icons with many paths, each as large as may be."""
    keys = ("aws:ec2", "azure:virtual-machine", "gcp:compute-engine", "aws:s3", "aws:lambda")
    made = nodes(count, layout={"width": 400, "height": 400})
    return document([node | {"nodeType": keys[number % len(keys)]} for number, node in enumerate(made)])


def lifelines(count: int = 1_000, messages: int = 3_900) -> Json:
    """A sequence of so many lifelines, messages between any of them."""
    chance = Random(4)  # noqa: S311 (no secret)
    pairs = [(chance.randrange(count), chance.randrange(count)) for _ in range(messages)]
    drawn = edges(pairs, labelled=True, edgeType="sequence.call")
    return document([*nodes(count, "sequence.lifeline"), *drawn], family="sequence")


def fragments(count: int = 1_000, each: int = 3) -> Json:
    """A sequence of fragments, every one in the one before as deep as may be, over many messages."""
    drawn = edges(((one % 7, (one + 3) % 7) for one in range(count * each)), labelled=True, edgeType="sequence.call")
    boxes = [
        frame(f"f{number}", [], "fragment", extensions={"operands": [{"messages": _messages(number, count, each)}]})
        for number in range(count)
    ]
    return document([*nodes(7, "sequence.lifeline"), *drawn, *boxes], family="sequence")


def sequence_notes(count: int = 2_400) -> Json:
    """A sequence of notes over lifelines that lie far apart."""
    heads = nodes(100, "sequence.lifeline")
    drawn = edges(((one % 100, (one * 7 + 1) % 100) for one in range(count)), labelled=True)
    over = ({"over": [f"n{number % 50}", f"n{number % 50 + 50}"]} for number in range(count))
    notes = [
        {
            "id": f"t{number}",
            "kind": "node",
            "nodeType": "sequence.note",
            "label": "a note of some words",
            "extensions": one,
        }
        for number, one in enumerate(over)
    ]
    mingled = [one for pair in zip(drawn, notes, strict=True) for one in pair]
    return document([*heads, *mingled], family="sequence")


def chart(count: int = 2_500, *, chance_parent: bool = True) -> Json:
    """An org chart in which everybody reports to anybody before; or everybody to the first."""
    chance = Random(6)  # noqa: S311 (no secret)
    pairs = [(chance.randrange(one) if chance_parent else 0, one) for one in range(1, count)]
    return document([*nodes(count, "org.person"), *edges(pairs)], family="orgchart")


def tables(count: int = 28, columns: int = 1_000) -> Json:
    """Entities with as many columns as may be, edges between columns by chance."""
    chance = Random(8)  # noqa: S311 (no secret)
    rows = [{"name": f"column_{index}", "type": "varchar(20)", "fk": index % 3 == 0} for index in range(columns)]
    drawn = edges((chance.randrange(count), chance.randrange(count)) for _ in range(min(4_000, 40 * count)))
    for edge in drawn:
        for end in ("from", "to"):
            edge[end]["column"] = f"column_{chance.randrange(columns)}"
    made = [node | {"extensions": {"columns": rows}} for node in nodes(count, "er.entity")]
    return document([*made, *drawn], family="entityRelationship")


def classes(count: int = 400, members: int = 100) -> Json:
    """Classes of many attributes and methods that inherit from each other."""
    inner = {part: [f"{part}{index}: String" for index in range(members)] for part in ("attributes", "methods")}
    made = [node | {"extensions": inner} for node in nodes(count, "uml.class")]
    return document([*made, *edges(((one, one // 3) for one in range(1, count)), edgeType="uml.inherits")])


def _ideograph(index: int) -> str:
    return chr(IDEOGRAPHS + index % IDEOGRAPHS_TOTAL)


def _messages(number: int, count: int, each: int) -> list[str]:
    """Blocks of 60 fragments: each holds what the next ones of its block hold."""
    last = min(count, (number // 60 + 1) * 60)
    return [f"e{index}" for index in range(number * each, last * each)]


TEXTS: Mapping[str, Callable[[], Json]] = {
    "ideographs 20": ideographs,
    "ideographs 200": lambda: ideographs(200, 2_000),
    "mixed scripts": mixtures,
    "words": words,
    "unbroken words": unbroken,
    "lines": lines,
    "icons 2500": icons,
    "lifelines 1000": lifelines,
    "lifelines 1000, silent": lambda: lifelines(1_000, 0),
    "lifelines 100": lambda: lifelines(100, 4_800),
    "fragments": fragments,
    "sequence notes": sequence_notes,
    "org chart 2500": chart,
    "org chart 2500, flat": lambda: chart(chance_parent=False),
    "tables 28": tables,
    "tables 500": lambda: tables(500, 40),
    "classes 400": classes,
}
