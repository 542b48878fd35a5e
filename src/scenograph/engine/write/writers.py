"""WRITERS: the writing function of each format in `wire/formats.py`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.engine.drawing import Drawing
from scenograph.engine.extent import fitted
from scenograph.engine.write.drawio import write_drawio
from scenograph.engine.write.excalidraw import tell_losses, write_excalidraw
from scenograph.engine.write.normalized import number
from scenograph.engine.write.png import png_pixels, write_opaque_png, write_png
from scenograph.engine.write.svg import write_svg
from scenograph.engine.write.writer import ExportLosses, Finished, RasterTooLarge, WriteOptions, Writer, Written
from scenograph.wire.formats import BPMN, DRAWIO, EXCALIDRAW, MERMAID, PDF, PNG, PPTX, SVG, TEXT


def _svg(finished: Finished, options: WriteOptions, _losses: ExportLosses) -> Written:
    """A self-contained SVG document."""
    return _on_page(write_svg(finished.inked, outlined=options.outlines), finished.inked)


def _png(finished: Finished, options: WriteOptions, _losses: ExportLosses) -> Written:
    """The same picture as PNG bytes. Raises RasterTooLarge before anything is rasterized: only the drawing tells how
    large a picture becomes, and only the rasterizer takes memory by its size."""
    drawing, scale = finished.inked, options.scale
    if options.page_pixels is not None:
        drawing, scale = fitted(drawing, *options.page_pixels), 1.0
    width, height = drawing.page.width * drawing.scale, drawing.page.height * drawing.scale
    pixels = png_pixels(width, height, scale)
    if options.max_pixels is not None and pixels > options.max_pixels:
        raise RasterTooLarge(width, height, pixels)
    scale *= drawing.scale
    if drawing.background.alpha == 1.0:
        png = write_opaque_png(drawing, scale)
    else:
        png = write_png(write_svg(drawing, outlined=True), drawing.page.width, drawing.page.height, scale)
    return Written(png.data, png.width, png.height, scale)


def _excalidraw(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """An Excalidraw file; Excalidraw draws the strokes with its own pen."""
    tell_losses(finished.laid_out.scene, finished.drawing, losses)
    content = write_excalidraw(finished.laid_out, finished.drawing, hand_drawn=finished.hand_drawn)
    return _without_page(content, finished, losses)


def _pdf(finished: Finished, _options: WriteOptions, _losses: ExportLosses) -> Written:
    """A PDF of one page with embedded fonts."""
    from scenograph.engine.write.pdf import write_pdf  # noqa: PLC0415 - most pictures are none

    return _on_page(write_pdf(finished.inked), finished.inked)


def _mermaid(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """The text of a Mermaid diagram."""
    from scenograph.engine.write.mermaid import write_mermaid  # noqa: PLC0415 - most pictures are none

    _without_legend(finished, losses)
    return _without_page(write_mermaid(finished.laid_out, losses), finished, losses)


def _drawio(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """A draw.io file."""
    return _on_page(write_drawio(finished, losses), finished.drawing)


def _text(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """The picture in box-drawing characters."""
    from scenograph.engine.write.text_art import write_text  # noqa: PLC0415 - most pictures are none

    return _without_page(write_text(finished.laid_out, finished.drawing, losses), finished, losses)


def _bpmn(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """BPMN 2.0 XML with diagram interchange."""
    from scenograph.engine.write.bpmn import write_bpmn  # noqa: PLC0415 - most pictures are none

    _without_legend(finished, losses)
    return _without_page(write_bpmn(finished.laid_out, losses), finished, losses)


def _pptx(finished: Finished, _options: WriteOptions, losses: ExportLosses) -> Written:
    """A PowerPoint file of one slide."""
    from scenograph.engine.write.pptx.slide import write_pptx  # noqa: PLC0415 - most pictures are none

    return _on_page(write_pptx(finished, losses), finished.drawing)


def _on_page(content: str | bytes, drawing: Drawing) -> Written:
    """A file, with the size of its page rounded to two decimals, as in the SVG."""
    width, height = (number(side * drawing.scale) for side in drawing.page[2:])
    return Written(content, width, height, drawing.scale)


def _without_legend(finished: Finished, losses: ExportLosses) -> None:
    if finished.has_legend:
        losses.add("the legend")


def _without_page(content: str, finished: Finished, losses: ExportLosses) -> Written:
    """A file of a format without pages."""
    canvas = finished.laid_out.canvas
    if finished.laid_out.paper is not None:
        losses.add("the size of the page")
    return Written(content, number(canvas.width), number(canvas.height))


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
        PPTX.name: _pptx,
    }
)
