# ruff: noqa: PLR0913 - a picture has as many wishes as arguments
"""Sources read, judged and drawn: what `import scenograph` offers besides scenes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scenograph.diagnostics import Diagnostic, Severity
from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.late_dataclasses import dataclass
from scenograph.library.files import write_whole
from scenograph.library.scene import Scene, SourceError, require
from scenograph.scene.document_index import authored
from scenograph.scene.reading import diagram_family, read_view
from scenograph.scene.validation import validate as judged
from scenograph.wire.formats import FORMATS, PNG, SVG, not_available
from scenograph.wire.names import MAX_PIXELS, MAX_SCALE, MIN_SCALE, THEME_NAMES, too_large
from scenograph.wire.source_formats import BY_NAME, DIALECTS, SCENE

if TYPE_CHECKING:
    from scenograph.engine import pipeline

AnySource = str | bytes | Mapping[str, Any] | Scene | Path
"""Text, bytes, a scene document, a Scene, or the path of a file. A `str` is always text."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn scene. `content` is text or bytes, by its format; `width` and `height` are px, to two decimals; `scale`
    is the length of a scene px in the picture, px; `diagnostics` are remarks of the way, such as what a format cannot
    hold. In a notebook it shows itself."""

    content: str | bytes
    width: float
    height: float
    diagnostics: tuple[Diagnostic, ...]
    format: str = SVG.name
    scale: float = 1.0

    @property
    def media_type(self) -> str:
        """Media type, such as `image/svg+xml`."""
        return FORMATS[self.format].media_type

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all. ValueError for a name without the suffix of its format; OSError."""
        suffix = FORMATS[self.format].suffix
        if Path(path).suffix.lower() != suffix:
            raise ValueError(f"{Path(path).name} must end in {suffix}: the picture is {self.format}.")
        write_whole(str(path), self.content if isinstance(self.content, bytes) else self.content.encode())

    def __repr__(self) -> str:
        return f"<Picture {self.format}: {self.width:g} × {self.height:g} px, {len(self.diagnostics)} diagnostics>"

    def _repr_svg_(self) -> str | None:
        return str(self.content) if self.format == SVG.name else None

    def _repr_png_(self) -> bytes | None:
        return cast("bytes", self.content) if self.format == PNG.name else None


def read(
    source: AnySource,
    *,
    format: str | None = None,
    title: str | None = None,
    document: str = "",
    scene_id: str | None = None,
    block: str | int | None = None,
    dialect: str | None = None,
    page: int | None = None,
    view: str | None = None,
) -> Scene:
    """The scene in a source: a scene document (JSON, YAML, or embedded in an SVG or PNG), or a source of another tool.

    `format` is `scenograph` or the name of another tool's format, None to recognize it; `document` names the source
    where a scene follows several; `block` chooses a diagram of a Markdown page by number or heading, `page` one of
    draw.io, `view` a view of Structurizr or a board of D2 by its key. What has no form in a scene stands in the scene's
    `diagnostics`. SourceError for what cannot be read."""
    from scenograph.library.sources import opened  # noqa: PLC0415 - a scene is drawn without it

    _check_choice("format", format, (SCENE, *BY_NAME))
    _check_choice("dialect", dialect, DIALECTS)
    for name, value in (("title", title), ("scene_id", scene_id), ("view", view), ("document", document or None)):
        _check_kind(name, value, str | None, "text")
    _check_kind("block", block, str | int | None, "a number or a heading")
    _check_kind("page", page, int | None, "a number")
    if isinstance(source, Scene):
        source = source.document
    known = BY_NAME.get(format or "")
    found = opened(
        source,
        form=format if known is None else known.name,
        block=None if block is None else str(block),
        document=document,
        scene_id=scene_id,
        title=title,
        dialect=dialect,
        page=page,
        view=view,
    )
    return Scene.of(found.document, found.diagnostics)


def validate(document: AnySource) -> list[Diagnostic]:
    """Everything that is wrong with a document, and what is advised; an empty list says that all is well. Of a source
    of another tool also what has no form in a scene. SourceError for what cannot be read at all."""
    from scenograph.library.sources import opened  # noqa: PLC0415 - a scene is drawn without it

    found = opened(document)
    return [*found.diagnostics, *judged(authored(found.document), DOCUMENT_LIMITS)]


def render(
    source: AnySource,
    *,
    format: str = SVG.name,
    theme: str | None = None,
    view: Mapping[str, Any] | None = None,
    scale: float = 1.0,
    outlines: bool = False,
    watermark: str | None = None,
    embed: bool = False,
) -> Picture:
    """A picture of a source.

    `format` is a name of `wire/formats.py`, such as svg, png, pdf, drawio, pptx; `theme` one of clean, dark,
    blueprint, sketch, None lets the canvas background choose; `view` shows a part: `{"focus": ["api"], "depth": 2}`,
    `collapse`, `crop`, `aspectRatio`, `page`; `scale` is for png, 0.1 to 8; `outlines` draws an SVG's letters as
    paths; `watermark` is a line at the bottom right; `embed` puts the document into an SVG or PNG, for `read` to find
    it there. SourceError for what cannot be read or is not valid; ValueError for a wrong argument."""
    wanted = _Wanted(format, theme, view, scale, outlines, watermark, embed)
    wanted.check()
    scene = source if isinstance(source, Scene) else read(source)
    remarks = _require_valid(scene)
    picture = wanted.drawn(scene.document, scene.places, {})
    if view is None:
        _remember(scene, picture)
    return _picture(picture, format, (*scene.diagnostics, *remarks))


def diff(
    before: AnySource,
    after: AnySource,
    *,
    format: str = SVG.name,
    theme: str | None = None,
    view: Mapping[str, Any] | None = None,
    scale: float = 1.0,
    outlines: bool = False,
) -> Picture:
    """A picture of what changed from one source to another: added green, removed red, changed amber. The arguments are
    those of `render`, and so are the errors."""
    wanted = _Wanted(format, theme, view, scale, outlines, None, embed=False)
    wanted.check()
    old, new = (one if isinstance(one, Scene) else read(one) for one in (before, after))
    remarks = (*_require_valid(old), *_require_valid(new))
    stood = places_now(old)
    compared = {"before": old.document, "before_places": stood}
    return _picture(wanted.drawn(new.document, new.places or stood, compared), format, remarks)


def places_now(scene: Scene) -> Mapping[str, Any]:
    """Places of a scene in the form of `computed`, px; later drawings keep them."""
    from scenograph.engine.pipeline import lay_out, places_of  # noqa: PLC0415 - a scene is built without it

    places = places_of(lay_out(scene.document, sketch=scene.places))
    scene.keep(places)
    return places


class _Wanted(NamedTuple):
    """The arguments of a picture."""

    format: str
    theme: str | None
    view: Mapping[str, Any] | None
    scale: float
    outlines: bool
    watermark: str | None
    embed: bool

    def check(self) -> None:
        """Check every option. Raises ValueError for a value that is not allowed, TypeError for another type."""
        if self.format is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise TypeError("format must be text, not NoneType.")
        _check_choice("format", self.format, tuple(FORMATS))
        _check_choice("theme", self.theme, THEME_NAMES)
        if isinstance(self.scale, bool) or not isinstance(self.scale, (int, float)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"scale must be a number, not {type(self.scale).__name__}.")
        if not MIN_SCALE <= self.scale <= MAX_SCALE:
            raise ValueError(f"scale must be from {MIN_SCALE:g} to {MAX_SCALE:g}.")
        for name, value in (("outlines", self.outlines), ("embed", self.embed)):
            _check_kind(name, value, bool, "True or False")
        _check_kind("watermark", self.watermark, str | None, "text")
        if self.embed and not FORMATS[self.format].embeds:
            raise ValueError(f"Only svg and png carry their document; {self.format} does not.")
        if self.view is not None:
            from scenograph.scene.description.document import VIEW  # noqa: PLC0415

            if not isinstance(self.view, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"view must be a mapping, not {type(self.view).__name__}.")
            require(VIEW, self.view, "a view", unknown=ValueError)

    def drawn(
        self, document: Mapping[str, Any], places: Mapping[str, Any] | None, compared: Mapping[str, Any]
    ) -> pipeline.RenderedPicture:
        """The picture; ValueError for a format that does not hold the scene's family, or too many pixels."""
        from scenograph.engine import pipeline  # noqa: PLC0415 - a scene is built without it

        form, family = FORMATS[self.format], diagram_family(document)
        if not form.holds(family):
            raise ValueError(not_available(form, family))
        view = {} if self.view is None else {"view": read_view(dict(self.view))}
        extras = pipeline.Extras(watermark=self.watermark, **view, **compared)
        options = pipeline.WriteOptions(
            scale=float(self.scale), outlines=self.outlines, max_pixels=MAX_PIXELS, embed=self.embed
        )
        draw = partial(pipeline.render, document, form.name, theme=self.theme, sketch=places)
        try:
            return draw(extras=extras, options=options)
        except pipeline.RasterTooLarge as refused:
            raise ValueError(too_large(refused.width, refused.height, refused.pixels)) from None


def _remember(scene: Scene, picture: pipeline.RenderedPicture) -> None:
    from scenograph.engine.pipeline import places_of  # noqa: PLC0415

    scene.keep(places_of(picture.laid_out))


def _picture(drawn: pipeline.RenderedPicture, form: str, remarks: tuple[Diagnostic, ...]) -> Picture:
    """The engine's picture with what was remarked before; what validation has said is not said again."""
    said = {(row.code, row.path, row.element_id) for row in remarks}
    further = (row for row in drawn.diagnostics if (row.code, row.path, row.element_id) not in said)
    return Picture(drawn.content, drawn.width, drawn.height, (*remarks, *further), form, drawn.scale)


def _require_valid(scene: Scene) -> tuple[Diagnostic, ...]:
    found = judged(scene.document, DOCUMENT_LIMITS)
    if any(row.severity is Severity.ERROR for row in found):
        raise SourceError(found, "The scene is not valid.")
    return found


def _check_kind(name: str, value: object, kind: type | UnionType, told: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {told}, not {type(value).__name__}.")


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value is None or value in allowed:
        return
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, not {type(value).__name__}.")
    from scenograph.scene.near_names import NameBudget, nearest  # noqa: PLC0415 - most values are right

    near = nearest(value, allowed, NameBudget())
    hint = f" Did you mean {near!r}?" if near else ""
    raise ValueError(f"{name} must be one of: {', '.join(allowed)}.{hint}")
