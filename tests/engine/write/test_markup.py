"""The only way from text to XML."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.write.markup import Markup, escaped, serialized

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
anything = st.text(st.characters(codec=None, exclude_categories=())) | st.text("<>&\"'\x00\x1f\ud800\ufffe\n\t]")


def test_markup_characters_become_references() -> None:
    tree = Markup("a", (("b", 'x"<&>\n'),), ("1 < 2 & 3",))
    assert serialized(tree) == '<a b="x&quot;&lt;&amp;&gt;&#10;">1 &lt; 2 &amp; 3</a>'


def test_an_element_without_children_closes_itself() -> None:
    assert serialized(Markup("a", (), (Markup("b"),))) == "<a><b/></a>"


def test_what_xml_forbids_is_dropped_or_replaced() -> None:
    assert escaped("a\x00b\x0bc\ud800d\ufffee") == "abc\ufffdd\ufffde"


@settings(deadline=None)
@given(anything)
def test_any_text_comes_back_from_a_parser_as_it_was(text: str) -> None:
    tree = ET.fromstring(serialized(Markup("a", (("b", text),), (text,))))  # noqa: S314 - our own output
    wanted = FORBIDDEN.sub(lambda match: "\ufffd" if match[0] >= "\ud800" else "", text)
    assert tree.attrib["b"] == wanted
    assert (tree.text or "") == wanted
