"""The described members of a style, a layout and the palette (R-THEME-4, R-ELEMENT-4)."""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.fields import UNREAD, Field, Lifted, Problems, Schema, SchemaBook, wrong_type
from scenograph.scene.description.records import ListOf, Record, Requirement
from scenograph.scene.description.values import Choice, ColorText, Flag, Identifier, Number, TextType, Weight
from scenograph.scene.json_values import is_object
from scenograph.scene.limits import Limits
from scenograph.scene.model import Layout, Palette, Style
from scenograph.scene.vocabulary import ALIGNMENTS, LAYOUT_MODES, LINE_JUMPS, RELATIONS

COLOR = ColorText()
COORDINATE = Number(None, "coordinate")
LENGTH = Number(0, "size")
ELEMENT_ID = Identifier()

STYLE = Record(
    name="Style",
    doc="How an element looks. What is left out falls to the palette, then to the theme.",
    model=Style,
    fields=(
        Field("fill", COLOR, "Colour of the inside.", "fill"),
        Field("stroke", COLOR, "Colour of the outline or of the line.", "stroke"),
        Field("strokeWidth", Number(0, "stroke_width"), "Width of the outline or of the line, px.", "stroke_width"),
        Field("cornerRadius", LENGTH, "Radius of the corners, px.", "corner_radius"),
        Field(
            "fontFamily",
            TextType("title_length"),
            "A font family; mapped to the nearest embedded family.",
            "font_family",
        ),
        Field("fontSize", Number(1, "font_size"), "Size of the text, px.", "font_size"),
        Field("fontWeight", Weight(), "Weight of the text: 1 to 1000, normal (400) or bold (700).", "font_weight"),
        Field(
            "textColor", COLOR, "Colour of the text; left out, it is chosen to contrast with the fill.", "text_color"
        ),
        Field("dash", ListOf(LENGTH, "dash_items"), "Dash pattern: lengths of strokes and gaps in turn, px.", "dash"),
        Field("opacity", Number(0, 1), "0 is invisible, 1 is opaque.", "opacity"),
        Field("labelBackground", COLOR, "Colour of the plate behind a label.", "label_background"),
        Field("accentColor", COLOR, "Colour of the accent, for example the stripe of a person's card.", "accent_color"),
        Field("forceLabel", Flag(), "Keep this edge's label even where it repeats another.", "force_label"),
        Field(
            "lineJumps",
            Choice(LINE_JUMPS),
            "What is drawn where this edge crosses one beneath it. none: both run through. arc: this one hops over it. "
            "gap: that one is interrupted.",
            "line_jumps",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class StyleOrName:
    """An inline style, or the name of an entry of the document's `styles`."""

    words: str = "an object or the name of an entry of styles"

    @property
    def inline(self) -> Record:
        """The record of an inline style."""
        return STYLE

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            return ELEMENT_ID.check(value, limits)
        return STYLE.check(value, limits) if is_object(value) else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        if isinstance(value, str):
            return Lifted(style_id=value)
        style = STYLE.read(value)
        return UNREAD if style is UNREAD else Lifted(style=style)

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [STYLE.schema(book), ELEMENT_ID.schema(book)]}


def _layout(
    mode: str | None = None, x: float | None = None, y: float | None = None, **rest: float | str | None
) -> Layout:
    """The effective layout: a mode without its required members becomes auto."""
    placed = x is not None and y is not None
    mode = mode or ("absolute" if placed else "auto")
    if (mode == "absolute" and not placed) or (
        mode == "relative" and not (rest.get("target") and rest.get("relation"))
    ):
        mode = "auto"
    return Layout(mode=mode, x=x, y=y, **rest)  # pyright: ignore[reportArgumentType]


LAYOUT = Record(
    name="Layout",
    doc="Where an element wants to be, and how large.",
    model=_layout,
    fields=(
        Field(
            "mode",
            Choice(LAYOUT_MODES),
            "absolute: at x, y. relative: beside or inside another element. auto: where the engine puts it. "
            "Left out: absolute when x and y are given, else auto.",
            "mode",
        ),
        Field("x", COORDINATE, "Left side, px. For absolute.", "x"),
        Field("y", COORDINATE, "Top side, px. For absolute.", "y"),
        Field("width", LENGTH, "Width, px; left out, it is measured from the content.", "width"),
        Field("height", LENGTH, "Height, px; left out, it is measured from the content.", "height"),
        Field("target", ELEMENT_ID, "The element it stands by. For relative.", "target"),
        Field("relation", Choice(RELATIONS), "On which side of the target. For relative.", "relation"),
        Field("gap", LENGTH, "Distance from the target, px; default the node spacing. For relative.", "gap"),
        Field("align", Choice(ALIGNMENTS), "Which edges or centres line up. For relative.", "align", default="center"),
    ),
    requirements=(
        Requirement(("x", "y"), when="mode", equals="absolute"),
        Requirement(("target", "relation"), when="mode", equals="relative"),
        Requirement(("y",), when="x"),
        Requirement(("x",), when="y"),
    ),
)

PALETTE = Record(
    name="Palette",
    doc="Scene-wide colours, beneath an element's own style and above the theme.",
    model=Palette,
    fields=(
        Field("background", COLOR, "The page.", "background"),
        Field("foreground", COLOR, "Text.", "foreground"),
        Field("nodeFill", COLOR, "Inside of nodes.", "node_fill"),
        Field("nodeStroke", COLOR, "Outline of nodes.", "node_stroke"),
        Field("edgeStroke", COLOR, "Lines of edges.", "edge_stroke"),
        Field("containerFill", COLOR, "Inside of frames.", "container_fill"),
        Field("containerStroke", COLOR, "Outline of frames.", "container_stroke"),
        Field("accentPrimary", COLOR, "First accent.", "accent_primary"),
        Field("accentSecondary", COLOR, "Second accent.", "accent_secondary"),
        Field("mutedForeground", COLOR, "Quiet text, such as guards and actions in edge labels.", "muted_foreground"),
    ),
)
