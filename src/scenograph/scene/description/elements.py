"""The described members of every kind of element (R-ELEMENT-1, R-ELEMENT-2, R-ELEMENT-5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.description.fields import (
    UNREAD,
    AnyValue,
    Choice,
    ColorText,
    Field,
    Flag,
    Identifier,
    Lifted,
    ListOf,
    Number,
    Problems,
    Record,
    Requirement,
    Schema,
    SchemaBook,
    TextType,
    Variants,
    Weight,
    wrong_type,
)
from scenograph.scene.image_data import ImageHref
from scenograph.scene.json_values import is_object
from scenograph.scene.limits import Limits
from scenograph.scene.links import LinkHref
from scenograph.scene.model import (
    Attachment,
    Column,
    Edge,
    Endpoint,
    Frame,
    Group,
    Guide,
    Image,
    Layout,
    Link,
    Node,
    Palette,
    Port,
    Style,
    Text,
    Waypoint,
)
from scenograph.scene.vocabulary import (
    ACTIVITY_MARKERS,
    ALIGNMENTS,
    ARROWS,
    CARDINALITIES,
    CONTAINER_TYPES,
    DEFAULT_CONTAINER_TYPE,
    DIRECTIONS,
    FITS,
    FRAGMENT_OPERATORS,
    LANE_DIRECTIONS,
    LAYOUT_MODES,
    LINE_JUMPS,
    MESSAGE_ENDS,
    NOTE_SIDES,
    ORIENTATIONS,
    RELATIONS,
    ROUTERS,
    SHAPES,
    SIDES,
)

# The described members of a style, a layout and the palette (R-THEME-4, R-ELEMENT-4).

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

LABEL = TextType("label_length")
SHORT_TEXT = TextType("title_length")
IDS = ListOf(ELEMENT_ID, "elements", what="ids")
FLAG = Flag()
_FREE_OBJECT = AnyValue(an_object=True)

PORT = Record(
    name="Port",
    doc="A named anchor on a side of a node.",
    model=Port,
    fields=(
        Field("id", ELEMENT_ID, "Unique within the node.", "id", required=True),
        Field("side", Choice(SIDES), "The side it sits on.", "side", default="right"),
        Field("offset", Number(0, 1), "Where along the side, from its left or top end.", "offset", default=0.5),
    ),
)

ATTACHMENT = Record(
    name="Attachment",
    doc="The border that a node sits on. It travels with its host and is deleted with it.",
    model=Attachment,
    words="an object with elementId",
    fields=(
        Field(
            "elementId",
            ELEMENT_ID,
            "Its host: a node or a frame that is attached to nothing.",
            "element_id",
            required=True,
        ),
        Field("side", Choice(SIDES), "The side of the host; left out, the engine chooses.", "side"),
        Field(
            "offset",
            Number(0, 1),
            "Where along the side its middle is, from the left or top end; left out, the engine chooses.",
            "offset",
        ),
    ),
)

_KEY_WORDS = {
    "pk": "pk",
    "primary": "pk",
    "fk": "fk",
    "foreign": "fk",
    "uk": "unique",
    "uq": "unique",
    "unique": "unique",
}


def _column(name: str, key: str = "", **flags: object) -> Column:
    """A column by its flags, or by the alternate form with `key`."""
    named = {_KEY_WORDS[word]: True for word in re.findall(r"[a-z]+", key.lower()) if word in _KEY_WORDS}
    return Column(name=name, **(named | flags))  # pyright: ignore[reportArgumentType]


COLUMN = Record(
    name="Column",
    doc="A column of an entity.",
    model=_column,
    fields=(
        Field("name", SHORT_TEXT, "The column's name.", "name", required=True),
        Field("type", SHORT_TEXT, "Its data type, as text.", "type"),
        Field("pk", FLAG, "Part of the primary key.", "pk", default=False),
        Field("fk", FLAG, "A foreign key.", "fk", default=False),
        Field("unique", FLAG, "Unique.", "unique", default=False),
        Field("nullable", FLAG, "May be null.", "nullable", default=False),
        Field("key", SHORT_TEXT, "The alternate shape: PK, FK or UK, or several of them, instead of flags.", "key"),
    ),
)
OPERAND = Record(
    name="Operand",
    doc="A part of a combined fragment in a sequence diagram.",
    words="an object with guard and messages (ids)",
    open=True,
    fields=(
        Field("guard", SHORT_TEXT, "Its condition."),
        Field("messages", IDS, "The edges, notes and fragments in it."),
    ),
)
_MEMBERS = ListOf(SHORT_TEXT, "columns", what="texts")
_MARKERS = Field(
    "markers", ListOf(Choice(ACTIVITY_MARKERS)), "Activities of workflow: their markers, from left to right."
)
NODE_EXTENSIONS = Record(
    name="NodeExtensions",
    doc="Members that some node types read; any other member is the caller's own.",
    model=Lifted,
    open=True,
    keep="extensions",
    fields=(
        Field(
            "columns",
            ListOf(COLUMN, "columns", what="columns"),
            "er.entity: its columns, from top to bottom.",
            "columns",
        ),
        Field("attributes", _MEMBERS, "uml.class, uml.interface: its attributes, such as `- id: int`."),
        Field("methods", _MEMBERS, "uml.class, uml.interface: its methods, such as `+ save(): bool`."),
        Field("values", _MEMBERS, "uml.enum: its values."),
        Field("over", IDS, "sequence.note: the lifelines it spans."),
        Field("side", Choice(NOTE_SIDES), "sequence.note: the side of its lifeline."),
        Field(
            "interrupting",
            FLAG,
            "Events of workflow: false for one that lets its activity go on; its rings are dashed.",
        ),
        _MARKERS,
    ),
)
_MESSAGE_ENDS = ListOf(Choice(MESSAGE_ENDS))
EDGE_EXTENSIONS = Record(
    name="EdgeExtensions",
    doc="Members that messages of a sequence diagram read; any other member is the caller's own.",
    model=Lifted,
    open=True,
    keep="extensions",
    fields=(
        Field("activates", _MESSAGE_ENDS, "Ends at which an activation bar begins with this message."),
        Field("deactivates", _MESSAGE_ENDS, "Ends at which the latest activation bar ends with this message."),
    ),
)
FRAME_EXTENSIONS = Record(
    name="FrameExtensions",
    doc="Members that some container types read; any other member is the caller's own.",
    model=Lifted,
    open=True,
    keep="extensions",
    fields=(
        Field("operator", Choice(FRAGMENT_OPERATORS), "fragment: its operator."),
        Field("operands", ListOf(OPERAND), "fragment: its parts, from top to bottom."),
        Field(
            "direction",
            Choice(DIRECTIONS),
            "Any frame but pools and lanes: where it flows inside, under hierarchical and flow; default as round it.",
        ),
        Field(
            "gridColumns",
            Number(1, "elements", whole=True),
            "Any frame but pools and lanes: its content stands in rows of so many cells, in the order of `children`.",
        ),
        Field("titleInset", LENGTH, "Where the title begins, px from the left side.", "title_inset"),
        Field(
            "headHeight",
            LENGTH,
            "Any frame but pools, lanes and states: height of the title's band, px; `accentColor` fills it.",
            "head_height",
        ),
        _MARKERS,
        Field("regions", ListOf(IDS), "state: its orthogonal regions from left to right, each a list of children."),
    ),
)
ENDPOINT = Record(
    name="Endpoint",
    doc="One end of an edge.",
    model=Endpoint,
    words="an object with elementId",
    fields=(
        Field("elementId", ELEMENT_ID, "A node, a frame or a group.", "element_id", required=True),
        Field("port", ELEMENT_ID, "A port of it: one of its ports, or top, right, bottom, left.", "port"),
        Field("column", SHORT_TEXT, "A column of the entity.", "column"),
        Field("cardinality", Choice(CARDINALITIES), "The crow's foot at this end.", "cardinality"),
        Field("label", SHORT_TEXT, "A text beside this end: a role, a multiplicity such as 0..*.", "label"),
    ),
)
ARROW_ENDS = Record(
    name="ArrowEnds",
    doc="The arrow markers; they override the edge type's.",
    model=Lifted,
    fields=(
        Field("startArrow", Choice(ARROWS), "At the `from` end.", "start_arrow"),
        Field("endArrow", Choice(ARROWS), "At the `to` end.", "end_arrow"),
    ),
)
WAYPOINT = Record(
    name="Waypoint",
    doc="A point an edge passes.",
    model=Waypoint,
    fields=(
        Field("x", COORDINATE, "px.", "x", required=True),
        Field("y", COORDINATE, "px.", "y", required=True),
    ),
)

LINK = Record(
    name="Link",
    doc="Where a click leads.",
    model=Link,
    words="an object with href",
    fields=(
        Field("href", LinkHref(), "An http, https or mailto address.", "href", required=True),
        Field("title", SHORT_TEXT, "Words for it, shown where the pointer rests.", "title"),
    ),
)

_LINKS = (
    Field("link", LINK, "Where a click on it leads.", "link"),
    Field("tooltip", LABEL, "Text shown where the pointer rests on it.", "tooltip"),
)
_ICON = Field("icon", SHORT_TEXT, "An icon's registry key, <prefix>:<name>.", "icon")
_LAYOUT = Field("layout", LAYOUT, "Where it is and how large; left out, the engine places it.", "layout")
_PORTS = Field("ports", ListOf(PORT, "ports", what="ports"), "Named anchors besides the four sides.", "ports")
_CHILDREN = Field("children", IDS, "The elements in it, any kind but edges.", "children", aliases=("childIds",))


def _common(kind: str, extensions: Record | AnyValue = _FREE_OBJECT) -> tuple[Field, ...]:
    """The members of every kind."""
    kept = "extensions" if isinstance(extensions, AnyValue) else ""
    return (
        Field("id", ELEMENT_ID, "Unique within the scene.", "id", required=True),
        Field("kind", Choice((kind,)), f"`{kind}`.", "kind", required=True),
        Field("name", SHORT_TEXT, "A name for people and tools; it is not drawn.", "name"),
        Field("style", StyleOrName(), "A style, or the name of an entry of the document's `styles`."),
        Field("zIndex", COORDINATE, "Higher is painted later; ties keep the array's order.", "z_index", default=0),
        Field("visible", FLAG, "false leaves it out of the picture.", "visible", default=True),
        Field("locked", FLAG, "true keeps constraints from moving it.", "locked", default=False),
        Field("extensions", extensions, "Members for some types and for the caller's own use.", kept),
        Field("metadata", _FREE_OBJECT, "The caller's own; never read.", "metadata"),
    )


NODE = Record(
    name="Node",
    doc="A box with a label.",
    model=Node,
    fields=(
        *_common("node", NODE_EXTENSIONS),
        Field("nodeType", SHORT_TEXT, "What it is: a family's name such as workflow.task, or free text.", "node_type"),
        Field("shape", Choice(SHAPES), "Its outline; left out, the node type's own.", "shape"),
        Field("label", LABEL, "Its text; a newline makes it multi-line.", "label"),
        _ICON,
        *_LINKS,
        _LAYOUT,
        _PORTS,
        Field("attachedTo", ATTACHMENT, "The border that it sits on, instead of a place in `layout`.", "attached_to"),
    ),
)
EDGE = Record(
    name="Edge",
    doc="A line between two elements.",
    model=Edge,
    fields=(
        *_common("edge", EDGE_EXTENSIONS),
        Field("from", ENDPOINT, "Where it begins.", "source", required=True),
        Field("to", ENDPOINT, "Where it ends.", "target", required=True),
        Field("edgeType", SHORT_TEXT, "What it is: a family's name such as sequence.reply.", "edge_type"),
        Field("router", Choice(ROUTERS), "The wished shape of its path.", "router", default="orthogonal"),
        Field("label", LABEL, "Its text.", "label"),
        *_LINKS,
        Field("endpoints", ARROW_ENDS, "The arrow markers; they override the edge type's."),
        Field("waypoints", ListOf(WAYPOINT), "Points to pass. For polyline.", "waypoints"),
    ),
)
FRAME = Record(
    name="Frame",
    doc="A visible container.",
    model=Frame,
    fields=(
        *_common("frame", FRAME_EXTENSIONS),
        Field("title", SHORT_TEXT, "Its title.", "title", aliases=("label",)),
        _ICON,
        _CHILDREN,
        Field(
            "containerType", Choice(CONTAINER_TYPES), "What it is.", "container_type", default=DEFAULT_CONTAINER_TYPE
        ),
        Field(
            "laneDirection",
            Choice(LANE_DIRECTIONS),
            "pool: horizontal makes its lanes rows, vertical columns.",
            "lane_direction",
            default="horizontal",
        ),
        *_LINKS,
        _LAYOUT,
        _PORTS,
    ),
)
GROUP = Record(
    name="Group",
    doc="A container that draws nothing unless it has a style.",
    model=Group,
    fields=(*_common("group"), _CHILDREN, Field("label", LABEL, "Its text.", "label"), _LAYOUT),
)
TEXT = Record(
    name="Text",
    doc="Free text.",
    model=Text,
    fields=(
        *_common("text"),
        Field("content", LABEL, "The text.", "content", default="", aliases=("text", "label")),
        *_LINKS,
        _LAYOUT,
        Field("align", Choice(ALIGNMENTS), "How its lines stand in its box.", "align", default="start"),
    ),
)
IMAGE = Record(
    name="Image",
    doc="A raster picture.",
    model=Image,
    fields=(
        *_common("image"),
        Field("assetId", ELEMENT_ID, "An entry of the document's `assets`.", "asset_id"),
        Field("href", ImageHref(), "A data: URI with a png, jpeg, gif or webp picture, base64.", "href"),
        _LAYOUT,
        Field("fit", Choice(FITS), "How it fills its box.", "fit", default="contain"),
        Field("alt", SHORT_TEXT, "What it shows, in words.", "alt"),
    ),
    requirements=(Requirement(("assetId", "href"), any_of=True),),
)
GUIDE = Record(
    name="Guide",
    doc="A thin dashed line across the canvas.",
    model=Guide,
    fields=(
        *_common("guide"),
        Field("orientation", Choice(ORIENTATIONS), "Its direction.", "orientation", default="horizontal"),
        Field("position", COORDINATE, "Its y when horizontal, its x when vertical, px.", "position", default=0),
    ),
)

ELEMENT_RECORDS: Mapping[str, Record] = MappingProxyType(
    {
        "node": NODE,
        "edge": EDGE,
        "frame": FRAME,
        "group": GROUP,
        "text": TEXT,
        "image": IMAGE,
        "guide": GUIDE,
    }
)
KINDS = tuple(ELEMENT_RECORDS)
ELEMENT = Variants(name="Element", doc="One thing on the canvas.", tag="kind", records=ELEMENT_RECORDS)
