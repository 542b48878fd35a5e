"""The described members of the document root, the scene and the constraints (R-DOC-2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from scenograph.diagnostics import UNSUPPORTED_SCHEMA_VERSION
from scenograph.scene.defaults import DEFAULTS
from scenograph.scene.description.elements import (
    COLOR,
    ELEMENT,
    ELEMENT_ID,
    FLAG,
    LENGTH,
    PALETTE,
    SHORT_TEXT,
    STYLE,
    StyleOrName,
)
from scenograph.scene.description.fields import (
    AnyValue,
    Choice,
    Excludes,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Named,
    Number,
    Record,
    TextType,
    Variants,
)
from scenograph.scene.image_data import ASSET
from scenograph.scene.model import Canvas, LayoutStrategy, Legend, LegendEntry, PageSize, View
from scenograph.scene.vocabulary import (
    ALGORITHMS,
    AXES,
    CORNERS,
    DIAGRAM_FAMILIES,
    DIMENSIONS,
    DIRECTIONS,
    SCHEMA_VERSIONS,
    UNITS,
)
from scenograph.wire.names import PATTERN, RESERVED

_MAX_SEED = 2**53  # the integers that every JSON reader keeps exactly

SCENE_ID = Identifier(
    pattern=PATTERN,
    rule="1 to 128 letters, digits or . _ ~ : - that begin with a letter or digit, and none of " + ", ".join(RESERVED),
)
SCHEMA_VERSION = Choice(SCHEMA_VERSIONS, code=UNSUPPORTED_SCHEMA_VERSION)
_DIAGRAM_FAMILY = Choice(DIAGRAM_FAMILIES, blank=True)

CANVAS = Record(
    name="Canvas",
    doc="The declared canvas: a minimum. An omitted dimension is computed from the content.",
    model=Canvas,
    fields=(
        Field("width", Number(1, "size"), "Width, px.", "width"),
        Field("height", Number(1, "size"), "Height, px.", "height"),
        Field("background", COLOR, "Colour of the page.", "background"),
    ),
)
ASPECT_RATIO = Number(0.2, 5)
LAYOUT_STRATEGY = Record(
    name="LayoutStrategy",
    doc="How the engine places what has no position.",
    model=LayoutStrategy,
    fields=(
        Field("algorithm", Choice(ALGORITHMS), "The layout.", "algorithm", default="hierarchical"),
        Field("direction", Choice(DIRECTIONS), "Where it flows; default TB, for flow LR.", "direction"),
        Field("nodeSpacing", LENGTH, "Distance between neighbours, px.", "node_spacing", default=48),
        Field("rankSpacing", LENGTH, "Distance between ranks, px.", "rank_spacing", default=72),
        Field("columns", Number(1, "elements", whole=True), "grid: nodes in a row.", "columns"),
        Field("aspectRatio", ASPECT_RATIO, "Wished width / height of the page.", "aspect_ratio"),
        Field("seed", Number(None, _MAX_SEED, whole=True), "forceDirected: another number, another picture.", "seed"),
    ),
)
EXTENSIONS = Record(
    name="SceneExtensions",
    doc="Members that some families read; any other member is the caller's own.",
    open=True,
    fields=(
        Field(
            "showLifelineFeet",
            FLAG,
            "sequence: false leaves out the foot bars of lifelines.",
            "show_lifeline_feet",
            default=True,
        ),
    ),
)

# Root members also read from inside `scene` (R-DOC-4).
OUTER_FIELDS = (
    Field("diagramFamily", _DIAGRAM_FAMILY, "The family of the diagram; declare it always.", "diagram_family"),
    Field("layoutStrategy", LAYOUT_STRATEGY, "How the engine places what has no position.", "layout_strategy"),
    Field("palette", PALETTE, "Scene-wide colours.", "palette"),
)
_NESTED_FIELDS = tuple(
    Field(row.name, row.type, "Belongs at the document root; read from here with a remark.", row.name, deprecated=True)
    for row in OUTER_FIELDS
)
_SAMPLE_SCENE: dict[str, object] = {"id": "my-scene", "units": UNITS[0], "canvas": {}}
SCENE = Record(
    name="Scene",
    doc="What the document says about the scene as a whole.",
    fields=(
        Field(
            "id",
            SCENE_ID,
            f"Becomes the sceneId: {SCENE_ID.rule}.",
            "id",
            required=True,
            sample=_SAMPLE_SCENE["id"],
        ),
        Field("title", SHORT_TEXT, "The title.", "title"),
        Field("showTitle", FLAG, "true draws the title above the content.", "show_title", default=False),
        Field("units", Choice(UNITS), "`px`.", required=True, sample=_SAMPLE_SCENE["units"]),
        Field("canvas", CANVAS, "The declared canvas.", "canvas", required=True, sample=_SAMPLE_SCENE["canvas"]),
        Field("extensions", EXTENSIONS, "Members for some families and for the caller's own use.", "extensions"),
        *_NESTED_FIELDS,
    ),
)

_ID = Field("id", ELEMENT_ID, "Unique among the constraints.", "id", required=True)
_ELEMENTS = Field(
    "elements", ListOf(ELEMENT_ID, least=1), "The elements it is about, in order.", "elements", required=True
)
_AXIS = Field("axis", Choice(AXES), "x or y.", "axis", required=True)
_CONTAINER = Field("container", ELEMENT_ID, "The element that holds them.", "container", required=True)
_GAP = Field("gap", LENGTH, "Distance, px.", "gap")


def _constraint(kind: str, doc: str, *parameters: Field) -> Record:
    return Record(
        name=f"{kind[0].upper()}{kind[1:]}Constraint",
        doc=doc,
        fields=(_ID, Field("type", Choice((kind,)), f"`{kind}`.", "type", required=True), _ELEMENTS, *parameters),
    )


CONSTRAINT_RECORDS: Mapping[str, Record] = MappingProxyType(
    {
        "align": _constraint("align", "Gives the centres the same coordinate on the axis.", _AXIS),
        "distribute": _constraint(
            "distribute",
            "Equal distances along the axis as they stand: the given gap, else what the outer two leave.",
            _AXIS,
            _GAP,
        ),
        "stack": _constraint("stack", "Puts the elements one after another along the axis.", _AXIS, _GAP),
        "grid": _constraint(
            "grid",
            "Puts the elements in rows, each in the middle of its cell.",
            Field("columns", Number(1, "elements", whole=True), "Elements in a row.", "columns", required=True),
            Field("columnGap", LENGTH, "Distance between columns, px.", "columnGap"),
            Field("rowGap", LENGTH, "Distance between rows, px.", "rowGap"),
        ),
        "sameSize": _constraint(
            "sameSize",
            "Gives all the size of the first; one left open is the largest, so that every label has room.",
            Field("dimension", Choice(DIMENSIONS), "Which size.", "dimension", default="both"),
        ),
        "centerIn": _constraint(
            "centerIn",
            "Centres the elements, as one piece, in the container.",
            _CONTAINER,
            Field("axis", Choice(AXES), "Only along this axis; left out, along both.", "axis"),
        ),
        "contain": _constraint(
            "contain",
            "Keeps the elements inside the container: one of open size grows, into another they move.",
            _CONTAINER,
            Field("padding", LENGTH, "Distance to its sides, px.", "padding"),
        ),
        "minGap": _constraint(
            "minGap",
            "Keeps neighbours at least so far apart along the axis.",
            _AXIS,
            Field("gap", LENGTH, "Distance, px.", "gap", required=True),
        ),
        "noOverlap": _constraint("noOverlap", "Keeps the elements from overlapping.", _GAP),
        "order": _constraint("order", "Keeps the elements in this order along the axis.", _AXIS),
    }
)
CONSTRAINT = Variants(
    name="Constraint",
    doc="A wish about positions; it runs after layout and before routing. The first listed element stays put.",
    tag="type",
    records=CONSTRAINT_RECORDS,
)

LEGEND_ENTRY = Record(
    name="LegendEntry",
    doc="Words for a look. The sample beside them shows all that the entry names.",
    model=LegendEntry,
    fields=(
        Field("label", SHORT_TEXT, "The words.", "label", required=True),
        Field("nodeType", SHORT_TEXT, "The look of a type of nodes.", "node_type"),
        Field("edgeType", SHORT_TEXT, "The look of a type of edges.", "edge_type"),
        Field("style", StyleOrName(), "A style, or the name of an entry of the document's `styles`."),
        Field("icon", SHORT_TEXT, "An icon's registry key, <prefix>:<name>.", "icon"),
    ),
    requirements=(Excludes("edgeType", ("nodeType", "icon")),),
)
LEGEND = Named(
    {"auto": Legend()},
    Record(
        name="Legend",
        doc="What the picture says about its own looks, outside its content.",
        model=Legend,
        fields=(
            Field("title", SHORT_TEXT, "A heading.", "title"),
            Field(
                "entries",
                ListOf(LEGEND_ENTRY, "legend_entries", what="entries"),
                "Its rows, in order.",
                "entries",
                required=True,
            ),
            Field("corner", Choice(CORNERS), "Where it stands.", "corner", default="bottomLeft"),
        ),
    ),
)

_PAGE_SIDE = Number(64, 16_384)
PAGES: Mapping[str, PageSize] = {
    "16:9": PageSize(width=1920, height=1080),
    "4:3": PageSize(width=1600, height=1200),
    "1:1": PageSize(width=1200, height=1200),
    "a4": PageSize(width=1240, height=1754),
    "a4-landscape": PageSize(width=1754, height=1240),
}
"""The pages with a name, px."""
_PAGE_SIZE = Record(
    name="PageSize",
    doc="The size of a page.",
    model=PageSize,
    fields=(
        Field("width", _PAGE_SIDE, "Width, px.", "width", required=True, sample=1200),
        Field("height", _PAGE_SIDE, "Height, px.", "height", required=True, sample=800),
    ),
)
PAGE = Named(PAGES, _PAGE_SIZE)


def spoken_page(text: str) -> object:
    """A page in one word, as JSON: WIDTHxHEIGHT as an object, a name as it is."""
    size = re.fullmatch(r"(\d{1,6})[xX\N{MULTIPLICATION SIGN}](\d{1,6})", text)
    return text if size is None else {"width": int(size[1]), "height": int(size[2])}


_SHOWN = ListOf(ELEMENT_ID, "elements", what="ids")
VIEW = Record(
    name="View",
    doc="What of a scene is shown, and in which shape; it never changes the scene.",
    model=View,
    fields=(
        Field("collapse", _SHOWN, "Frames and groups that are drawn as one box each.", "collapse"),
        Field("focus", _SHOWN, "Only these and what is near them is laid out and drawn.", "focus"),
        Field("depth", Number(0, "elements", whole=True), "focus: how many lines away.", "depth", default=1),
        Field("crop", _SHOWN, "The whole is laid out; the page shows these and 24 px round them.", "crop"),
        Field("aspectRatio", ASPECT_RATIO, "Wished width / height of the page.", "aspect_ratio"),
        Field(
            "page",
            PAGE,
            "The exact size of the picture: its content is scaled to fit. It outweighs aspectRatio.",
            "page",
        ),
    ),
)

_DEFAULTS_FIELD = Field("defaults", DEFAULTS, "What elements have that do not say otherwise.")
_BRIEF_FIELD = Field(
    "brief",
    TextType("brief_length"),
    "For whoever edits it next: what it shows, conventions, decisions. Never drawn, never published.",
)
_LEGEND_FIELD = Field(
    "legend",
    LEGEND,
    "Drawn outside the content. `auto` lists the named styles in use, else the types that look different, where there "
    "are two or more.",
)
ROOT_FIELDS = (*OUTER_FIELDS, _DEFAULTS_FIELD, _BRIEF_FIELD, _LEGEND_FIELD)
"""Root members about the scene as a whole, open to operations."""

DOCUMENT = Record(
    name="Document",
    doc="A diagram scene.",
    fields=(
        Field("schemaVersion", SCHEMA_VERSION, "`0.1`.", required=True, sample=SCHEMA_VERSIONS[0]),
        Field("scene", SCENE, "What holds for the scene as a whole.", required=True, sample=_SAMPLE_SCENE),
        Field(
            "elements",
            ListOf(ELEMENT, "elements", what="elements"),
            "What is drawn; may be empty.",
            required=True,
            sample=(),
        ),
        *ROOT_FIELDS,
        Field("styles", MapOf(STYLE), "Named styles."),
        Field("assets", MapOf(ASSET), "Raster pictures that image elements use."),
        Field("constraints", ListOf(CONSTRAINT, "constraints", what="constraints"), "Wishes about positions."),
        Field("extensions", EXTENSIONS, "Members for some families and for the caller's own use."),
        Field("view", VIEW, "What of it is shown. Read by normalize; never stored."),
        Field("computed", AnyValue(), "Output only; ignored."),
        Field("diagnostics", AnyValue(), "Output only; ignored."),
        Field("$schema", AnyValue(), "Ignored."),
    ),
)
