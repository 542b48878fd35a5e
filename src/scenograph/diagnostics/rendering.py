"""Remarks of rendering and normalizing (R-DIAG-1): none stops a picture."""

from __future__ import annotations

from scenograph.diagnostics.rows import ELEMENT, ELEMENTS, NOWHERE, Code, Severity

RENDER_FAILED = Code(
    "RENDER_FAILED",
    Severity.WARNING,
    "The scene is stored, but the picture or the places that were asked for could not be made: {reason}",
    when="A write was carried out, and what its `computed` or `render` asks for failed; `data.reason` is the code of "
    "the refusal.",
    data=("reason",),
)
MISSING_DIAGRAM_FAMILY = Code(
    "MISSING_DIAGRAM_FAMILY",
    Severity.INFO,
    "diagramFamily is not declared; declare one of: {allowed}.",
    when="Root `diagramFamily` is left out or empty.",
    path="/diagramFamily",
    data=("allowedValues",),
)
OUTER_FIELD_NESTED = Code(
    "OUTER_FIELD_NESTED",
    Severity.INFO,
    "The place for {fields} is the document root, not scene; {outcome}.",
    when="`layoutStrategy`, `diagramFamily` or `palette` stands inside `scene`; it is read there unless the root "
    "has it as well.",
    path="/scene",
    data=("nestedFields",),
)
TEXT_OVERFLOW = Code(
    "TEXT_OVERFLOW",
    Severity.WARNING,
    "The text of '{id}' needs {required} px of height but only {available} px are available; enlarge the "
    "element, shorten the label or leave its size out.",
    when="Wrapped text, or an icon with its label, does not fit into its element.",
    path=ELEMENT,
    data=(
        "requiredHeight",
        "availableHeight",
    ),
)
CANVAS_AUTO_EXTENDED = Code(
    "CANVAS_AUTO_EXTENDED",
    Severity.INFO,
    "The declared canvas is too small for its content; it was extended to {width} x {height} px.",
    when="The declared canvas is too small; it grows to the content and 40 px round it.",
    path="/scene/canvas",
    data=(
        "declaredWidth",
        "declaredHeight",
        "width",
        "height",
        "extendedDimensions",
    ),
)
EDGE_CHANNEL_CROWDED = Code(
    "EDGE_CHANNEL_CROWDED",
    Severity.INFO,
    "{count} edge(s) run less than {clearance} px beside another one, because their channel has no more room.",
    when="Lines run so near one another that they can hardly be told apart, because their channel has no more room.",
    path=ELEMENTS,
    data=(
        "edgeIds",
        "px",
    ),
)
EDGE_LABEL_CRAMPED = Code(
    "EDGE_LABEL_CRAMPED",
    Severity.INFO,
    "{count} edge label(s) cover another edge, or stand off their own, because no place nearer is free; a shorter label"
    " or more room between the nodes helps.",
    when="The label of an edge covers another edge, or stands over 12 px off its own: no better place is free.",
    path=ELEMENTS,
    data=("edgeIds",),
)
EDGE_OBSTACLE_GRAZED = Code(
    "EDGE_OBSTACLE_GRAZED",
    Severity.INFO,
    "{count} edge(s) come within {clearance} px of an element they do not belong to, because no clear path exists.",
    when="A line comes within 16 px of a node that is not its own, or crosses it, after every clear way was tried.",
    path=ELEMENTS,
    data=(
        "grazedEdgeIds",
        "clearance",
    ),
)
EDGE_LABEL_SUPPRESSED_FANIN = Code(
    "EDGE_LABEL_SUPPRESSED_FANIN",
    Severity.INFO,
    "{count} edge label(s) repeat what another edge brings from the same source unit to the same target; "
    "{groups} group(s) are drawn as one trunk with one label (style.forceLabel keeps an edge out).",
    when="Edges bring one label from one source unit to one target: one trunk, one label.",
    path=ELEMENTS,
    data=(
        "suppressedEdgeIds",
        "groups",
    ),
)
EDGE_LABEL_FANIN_BUNDLED = Code(
    "EDGE_LABEL_FANIN_BUNDLED",
    Severity.INFO,
    "{count} edges bring equal labels to the same targets from different sources; they are drawn as {groups} "
    "trunk(s), each edge with its own label (style.forceLabel keeps an edge out).",
    when="Edges bring one label from different sources to one target: one trunk, every label is kept.",
    path=ELEMENTS,
    data=(
        "bundledEdgeIds",
        "groups",
    ),
)
LABEL_DUPLICATION_DETECTED = Code(
    "LABEL_DUPLICATION_DETECTED",
    Severity.WARNING,
    "{count} edges leave {id} with the same label '{label}'; say what makes each of them different.",
    when="Two or more edges leave one element with the same label.",
    path=NOWHERE,
    data=(
        "labelText",
        "sharedEndpoint",
        "edgeIds",
    ),
)
LAYOUT_ABSOLUTE_AT_ORIGIN = Code(
    "LAYOUT_ABSOLUTE_AT_ORIGIN",
    Severity.INFO,
    "{count} absolute node(s) sit at exactly x=0, y=0; {outcome}.",
    when="Absolute nodes stand at exactly 0, 0; when all do, the positions are ignored.",
    path=ELEMENTS,
    data=(
        "affectedElementIds",
        "allAtOrigin",
        "layoutStrategyPresent",
    ),
)
EDGE_LABEL_SUPPRESSED_REDUNDANT = Code(
    "EDGE_LABEL_SUPPRESSED_REDUNDANT",
    Severity.INFO,
    "{count} edge label(s) only repeat the name of a column at an end; the edges are anchored at its row "
    "instead (style.forceLabel keeps a label).",
    when="An edge label is exactly the name of a column at one of its ends; the edge is anchored at that row instead.",
    path=ELEMENTS,
    data=(
        "suppressedEdgeIds",
        "suppressedLabels",
    ),
)
CANVAS_AUTO_TIGHTENED = Code(
    "CANVAS_AUTO_TIGHTENED",
    Severity.INFO,
    "The content is a flat strip on a tall canvas; the canvas height was reduced from {declared} to {height} px.",
    when="The content is more than 2.5 times as wide as high, and more than 30 % of the declared height is empty.",
    path="/scene/canvas",
    data=(
        "declaredHeight",
        "height",
        "contentWidth",
        "contentHeight",
    ),
)
CANVAS_OVERRIDDEN = Code(
    "CANVAS_OVERRIDDEN",
    Severity.INFO,
    "A shape of the page was wished for, so the declared canvas is no minimum; view.page gives a picture of an exact "
    "size.",
    when="A scene declares a size of its canvas, and the layout strategy or a view wishes a shape of the page.",
    path="/scene/canvas",
)
ASPECT_RATIO_MISSED = Code(
    "ASPECT_RATIO_MISSED",
    Severity.INFO,
    "The page is {got} times as wide as high, not {asked}: {why}.",
    when="The shape of the page is off the wish by more than a quarter. `reason` is `family` (its charts have a shape "
    "of their own), `placed` (elements have given or former places), `crossings` (nearer layouts cross more than half "
    "as much again) or `content` (nothing nearer was found).",
    path="/layoutStrategy/aspectRatio, /view/aspectRatio or /view/page",
    data=("asked", "got", "reason"),
)
TEXT_TOO_SMALL = Code(
    "TEXT_TOO_SMALL",
    Severity.INFO,
    "Text of {count} element(s) is under 8 px on this page, the smallest {smallest} px; a larger page, view.focus or "
    "view.collapse shows it larger.",
    when="Letters are under 8 px high on the page that a view asks for.",
    path="/view/page",
    data=("smallestPx", "elementIds"),
)
COLOR_TOO_FAINT = Code(
    "COLOR_TOO_FAINT",
    Severity.INFO,
    "{count} element(s) have letters or lines in a colour of their own that is hard to see in the theme {theme}; first "
    "'{id}'. Leave the colour out, choose another, or ask for another theme.",
    when="An authored colour of letters, of a line, or of a border without a fill to be seen has less contrast than 3 "
    "to what lies beneath.",
    path=ELEMENTS,
    data=("theme", "elementIds"),
)
CANVAS_CONTENT_OFFSET = Code(
    "CANVAS_CONTENT_OFFSET",
    Severity.INFO,
    "The middle of the content lies {across} and {along} the middle of the canvas.",
    when="A node has a given position, and the middle of the content is more than 10 % of the canvas away from its "
    "middle.",
    path="/scene/canvas",
    data=(
        "axis",
        "canvasWidth",
        "canvasHeight",
        "contentBounds",
        "horizontalOffsetPx",
        "verticalOffsetPx",
    ),
)
GIVEN_BOX_MISSED = Code(
    "GIVEN_BOX_MISSED",
    Severity.INFO,
    "{count} element(s) do not have the place or size that their layout gives; first '{id}', now {box}. Frames hold "
    "their content, content holds its text, and lifelines and lanes stand in rows: give more room, or leave it out.",
    when="An element stands more than 1 px from the place that its layout gives, or is of another size.",
    path=ELEMENTS,
    data=("elementIds",),
)
FRAME_OVERFULL = Code(
    "FRAME_OVERFULL",
    Severity.INFO,
    "{count} frame(s) have a given box that is too small for what they hold; first '{id}', which '{child}' leaves. "
    "Give more room, or leave width and height out of the layout.",
    when="An element without a place of its own stands partly outside its frame, whose layout gives place and size.",
    path=ELEMENTS,
    data=("elementIds",),
)
LAYOUT_STRATEGY_OVERRIDDEN = Code(
    "LAYOUT_STRATEGY_OVERRIDDEN",
    Severity.INFO,
    "Every node has an absolute position, so the layout strategy '{algorithm}' has nothing to place.",
    when="A layout strategy is declared, and every node has an absolute position other than 0, 0.",
    path="/layoutStrategy",
    data=("strategyAlgorithm",),
)
FONT_SUBSTITUTED = Code(
    "FONT_SUBSTITUTED",
    Severity.INFO,
    "No font of {asked} is embedded; the text is drawn in {used}.",
    when="The service has no font of a `fontFamily` list.",
    path=ELEMENT,
    data=(
        "asked",
        "used",
    ),
)
CONSTRAINT_UNSATISFIED = Code(
    "CONSTRAINT_UNSATISFIED",
    Severity.WARNING,
    "The constraint {constraint} ({type}) does not hold for all its elements: it contradicts the constraints before "
    "it, what is locked{locked} or the sizes that are given.",
    when="A constraint contradicts earlier ones, locked elements or given sizes.",
    path="/constraints/<index>",
    data=(
        "constraintId",
        "type",
        "elements",
    ),
)
EFFORT_LIMITED = Code(
    "EFFORT_LIMITED",
    Severity.INFO,
    "The search for {stage} reached its limit of steps; the best result found so far is drawn.",
    when="A stage reached the bound of its steps.",
    path=ELEMENTS,
    data=(
        "stage",
        "elementIds",
    ),
)
VIEW_ID_NOT_FOUND = Code(
    "VIEW_ID_NOT_FOUND",
    Severity.WARNING,
    "The view names {id}, which is not {what} of this scene{near}; it is left out.",
    when="A view names an id that the scene does not have.",
    path="/view/<member>/<index>",
    data=("suggestion",),
)
PLACES_OUT_OF_REACH = Code(
    "PLACES_OUT_OF_REACH",
    Severity.INFO,
    "{count} element(s) had stood farther away than the content is wide; they were placed anew.",
    when="A sketch has elements farther from the others than these reach, and farther than 2000 px.",
    path=ELEMENTS,
    data=("elementIds",),
)
PLACES_NOT_KEPT = Code(
    "PLACES_NOT_KEPT",
    Severity.WARNING,
    "The engine failed to keep the places that the elements had; all of them were placed anew.",
    when="The engine fails by a fault of its own while it places a scene from where its elements stood before.",
    path=ELEMENTS,
)
