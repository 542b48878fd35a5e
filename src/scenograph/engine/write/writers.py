"""WRITERS: the writing function of each format in `wire/formats.py`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.engine.drawing import Drawing
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.write.drawio.document import write_drawio
from scenograph.engine.write.excalidraw.document import write_excalidraw
from scenograph.engine.write.normalized import number
from scenograph.engine.write.png import png_pixels, write_opaque_png, write_png
from scenograph.engine.write.svg import write_svg
from scenograph.engine.write.writer import ExportLosses, Finished, RasterTooLarge, WriteOptions, Writer, Written
from scenograph.late_dataclasses import replace
from scenograph.wire.formats import BPMN, DRAWIO, EXCALIDRAW, MERMAID, PDF, PNG, SVG, TEXT

# A drawing on a page of a given shape: the whole picture, centred, on more of its own background. In: a drawing and the
# pixels of its page. Out: the drawing on a larger page, and the scale for these pixels.


LARGEST_SCALE = 2.0  # a small picture is not blown up


def fitted(drawing: Drawing, pixels: tuple[int, int]) -> tuple[Drawing, float]:
    """The drawing on a page of the given columns and rows, and the scale to reach them."""
    page = drawing.page
    scale = min(pixels[0] / page.width, pixels[1] / page.height, LARGEST_SCALE)
    width, height = pixels[0] / scale, pixels[1] / scale
    left, top = page.x - (width - page.width) / 2, page.y - (height - page.height) / 2
    return replace(drawing, page=Box(left, top, width, height)), scale


def _svg(finished: Finished, options: WriteOptions, _losses: ExportLosses) -> Written:
    """A self-contained SVG document."""
    return _on_page(write_svg(finished.inked, outlined=options.outlines), finished.inked)


def _png(finished: Finished, options: WriteOptions, _losses: ExportLosses) -> Written:
    """The same picture as PNG bytes. TooLarge before anything is rasterized: only the drawing tells how large a picture
    becomes, and only the rasterizer takes memory by its size."""
    drawing, scale = finished.inked, options.scale
    if options.page_pixels is not None:
        drawing, scale = fitted(drawing, options.page_pixels)
    page = drawing.page
    pixels = png_pixels(page.width, page.height, scale)
    if options.max_pixels is not None and pixels > options.max_pixels:
        raise RasterTooLarge(page.width, page.height, pixels)
    if drawing.background.alpha == 1.0:
        png = write_opaque_png(drawing, scale)
    else:
        png = write_png(write_svg(drawing, outlined=True), page.width, page.height, scale)
    return Written(png.data, png.width, png.height)


def _excalidraw(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """An Excalidraw file; Excalidraw draws the strokes with its own pen."""
    losses.add_hidden(finished.laid_out.scene)
    content = write_excalidraw(finished.laid_out, finished.drawing, hand_drawn=finished.hand_drawn)
    return _on_page(content, finished.drawing)


def _pdf(finished: Finished, _options: WriteOptions, _losses: ExportLosses) -> Written:
    """A PDF of one page with embedded fonts."""
    from scenograph.engine.write.pdf.document import write_pdf  # noqa: PLC0415 - most pictures are none

    page = finished.inked.page
    return Written(write_pdf(finished.inked), number(page.width), number(page.height))


def _mermaid(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """The text of a Mermaid diagram."""
    from scenograph.engine.write.mermaid.document import write_mermaid  # noqa: PLC0415 - most pictures are none

    canvas = finished.laid_out.canvas
    return Written(write_mermaid(finished.laid_out, losses), number(canvas.width), number(canvas.height))


def _drawio(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """A draw.io file."""
    return _on_page(write_drawio(finished, losses), finished.drawing)


def _text(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """The picture in box-drawing characters."""
    from scenograph.engine.write.text_art import write_text  # noqa: PLC0415 - most pictures are none

    canvas = finished.laid_out.canvas
    return Written(write_text(finished.laid_out, finished.drawing, losses), number(canvas.width), number(canvas.height))


def _bpmn(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """BPMN 2.0 XML with diagram interchange."""
    from scenograph.engine.write.bpmn import write_bpmn  # noqa: PLC0415 - most pictures are none

    canvas = finished.laid_out.canvas
    return Written(write_bpmn(finished.laid_out, losses), number(canvas.width), number(canvas.height))


def _on_page(content: str, drawing: Drawing) -> Written:
    """A text, with the size of its page rounded to two decimals, as in the SVG."""
    return Written(content, number(drawing.page.width), number(drawing.page.height))


WRITERS: Mapping[str, Writer] = MappingProxyType(
    {
        SVG.name: _svg,
        PNG.name: _png,
        EXCALIDRAW.name: _excalidraw,
        PDF.name: _pdf,
        MERMAID.name: _mermaid,
        DRAWIO.name: _drawio,
        TEXT.name: _text,
        BPMN.name: _bpmn,
    }
)
