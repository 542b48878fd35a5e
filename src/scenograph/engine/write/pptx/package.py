"""The file around a slide: parts, relationships and media of an Open Packaging container (ECMA-376, parts 1 and 2).

In: the slide's XML and everything it names. Out: the bytes of a zip archive. Same parts, same bytes: entries carry no
time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from scenograph.engine.write.markup import Markup, escaped, serialized
from scenograph.late_dataclasses import dataclass, field

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (("xmlns:a", DRAWING), ("xmlns:r", LINKS), ("xmlns:p", SLIDES))

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument"
_SLIDE_TYPES = f"{_TYPES}.presentationml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_LEVEL = 6
_OF_ADDRESSES = "%/:?#[]@!$&'()*+,;=~"
_ID = 40

MEDIA: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}
"""The pictures that slides hold: media type and suffix."""


class FileNames(NamedTuple):
    """The names of the file: title and description of its properties, and the typeface of its theme."""

    title: str
    description: str
    typeface: str


@dataclass
class Relations:
    """The targets named by the slide, each once: pictures within the file and addresses outside."""

    _ids: dict[tuple[str, str, bool], str] = field(default_factory=dict[tuple[str, str, bool], str])
    media: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def picture(self, mime_type: str, data: bytes) -> str:
        """The relationship id of a picture; equal pictures are stored once."""
        name = f"{sha256(data).hexdigest()[:_ID]}.{MEDIA[mime_type]}"
        self.media.setdefault(name, data)
        return self._add("image", f"../media/{name}", is_outside=False)

    def address(self, href: str) -> str:
        """The relationship id of an address, in ASCII as browsers write it (RFC 3987, 3.1)."""
        return self._add("hyperlink", quote(href, safe=_OF_ADDRESSES, errors="replace"), is_outside=True)

    def rows(self) -> Iterator[tuple[str, str, str, bool]]:
        """Id, type, target, and whether the target lies outside the file."""
        for (kind, target, is_outside), key in self._ids.items():
            yield key, kind, target, is_outside

    def _add(self, kind: str, target: str, *, is_outside: bool) -> str:
        return self._ids.setdefault((kind, target, is_outside), f"rId{len(self._ids) + 2}")


def packed(slide: Markup, relations: Relations, size: tuple[int, int], names: FileNames) -> bytes:
    """The bytes of the file; `size` is the slide's width and height in EMU."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types(relations),
        "_rels/.rels": _relations(
            ("rId1", "officeDocument", "ppt/presentation.xml", False),
            ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml", False),
        ),
        "docProps/core.xml": _properties(names),
        "ppt/presentation.xml": _presentation(*size),
        "ppt/_rels/presentation.xml.rels": _relations(
            ("rId1", "slideMaster", "slideMasters/slideMaster1.xml", False),
            ("rId2", "slide", "slides/slide1.xml", False),
            ("rId3", "theme", "theme/theme1.xml", False),
        ),
        "ppt/slideMasters/slideMaster1.xml": _MASTER,
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", False),
            ("rId2", "theme", "../theme/theme1.xml", False),
        ),
        "ppt/slideLayouts/slideLayout1.xml": _LAYOUT,
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            ("rId1", "slideMaster", "../slideMasters/slideMaster1.xml", False)
        ),
        "ppt/theme/theme1.xml": _theme(names.typeface),
        "ppt/slides/slide1.xml": serialized(slide),
        "ppt/slides/_rels/slide1.xml.rels": _relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", False), *relations.rows()
        ),
        **{f"ppt/media/{name}": data for name, data in relations.media.items()},
    }
    return _zipped(parts)


def _zipped(parts: Mapping[str, str | bytes]) -> bytes:
    found = BytesIO()
    with ZipFile(found, "w", compresslevel=_LEVEL) as archive:
        for name, content in parts.items():
            data = content if isinstance(content, bytes) else (_HEAD + content).encode()
            entry = ZipInfo(name)  # 1980, the earliest time of the format
            entry.compress_type = ZIP_STORED if name.endswith((".png", ".jpeg", ".gif")) else ZIP_DEFLATED
            entry.create_system = 0
            archive.writestr(entry, data)
    return found.getvalue()


def _content_types(relations: Relations) -> str:
    suffixes = sorted({name.rpartition(".")[2] for name in relations.media})
    types = {suffix: mime_type for mime_type, suffix in MEDIA.items()}
    parts = {
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "/ppt/presentation.xml": f"{_SLIDE_TYPES}.presentation.main+xml",
        "/ppt/slideMasters/slideMaster1.xml": f"{_SLIDE_TYPES}.slideMaster+xml",
        "/ppt/slideLayouts/slideLayout1.xml": f"{_SLIDE_TYPES}.slideLayout+xml",
        "/ppt/theme/theme1.xml": f"{_TYPES}.theme+xml",
        "/ppt/slides/slide1.xml": f"{_SLIDE_TYPES}.slide+xml",
    }
    rows = (
        Markup("Default", (("Extension", "rels"), ("ContentType", f"{_PACKAGE_TYPE}.relationships+xml"))),
        Markup("Default", (("Extension", "xml"), ("ContentType", "application/xml"))),
        *(Markup("Default", (("Extension", suffix), ("ContentType", types[suffix]))) for suffix in suffixes),
        *(Markup("Override", (("PartName", name), ("ContentType", kind))) for name, kind in parts.items()),
    )
    return serialized(Markup("Types", (("xmlns", f"{_PACKAGE}/content-types"),), rows))


_PACKAGE_TYPE = "application/vnd.openxmlformats-package"


def _relations(*rows: tuple[str, str, str, bool]) -> str:
    found: list[Markup] = []
    for key, kind, target, is_outside in rows:
        known = (("Id", key), ("Type", kind if "/" in kind else f"{LINKS}/{kind}"), ("Target", target))
        found.append(Markup("Relationship", (*known, ("TargetMode", "External")) if is_outside else known))
    return serialized(Markup("Relationships", (("xmlns", f"{_PACKAGE}/relationships"),), tuple(found)))


def _properties(names: FileNames) -> str:
    namespaces = (
        ("xmlns:cp", f"{_PACKAGE}/metadata/core-properties"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    )
    rows = (
        Markup("dc:title", (), (names.title,)),
        Markup("dc:description", (), (names.description,)),
        Markup("dc:creator", (), ("Scenograph",)),
    )
    return serialized(Markup("cp:coreProperties", namespaces, rows))


def _presentation(width: int, height: int) -> str:
    def listed(name: str, entry: str, key: str, relation: str) -> Markup:
        return Markup(name, (), (Markup(entry, (("id", key), ("r:id", relation))),))

    rows = (
        listed("p:sldMasterIdLst", "p:sldMasterId", "2147483648", "rId1"),
        listed("p:sldIdLst", "p:sldId", "256", "rId2"),
        Markup("p:sldSz", (("cx", str(width)), ("cy", str(height)))),
        Markup("p:notesSz", (("cx", "6858000"), ("cy", "9144000"))),
    )
    return serialized(Markup("p:presentation", NAMESPACES, rows))


# The fixed parts: a blank master and layout, and the standard theme; only its typeface is the picture's own.


_SPACES = "".join(f' {name}="{value}"' for name, value in NAMESPACES)
_EMPTY = (
    "<p:cSld{name}>{ground}<p:spTree><p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
    "<p:grpSpPr/></p:spTree></p:cSld>"
)
_WHITE = "<p:bg><p:bgPr><a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill><a:effectLst/></p:bgPr></p:bg>"
_MAP = " ".join(
    f"{name}='{color}'"
    for name, color in (
        *(("bg1", "lt1"), ("tx1", "dk1"), ("bg2", "lt2"), ("tx2", "dk2"), ("hlink", "hlink"), ("folHlink", "folHlink")),
        *((f"accent{number}", f"accent{number}") for number in range(1, 7)),
    )
)
_TEXT_STYLE = "<a:lvl1pPr><a:defRPr sz='1800'><a:latin typeface='+mn-lt'/></a:defRPr></a:lvl1pPr>"
_MASTER = (
    f"<p:sldMaster{_SPACES}>{_EMPTY.format(name='', ground=_WHITE)}<p:clrMap {_MAP}/>"
    "<p:sldLayoutIdLst><p:sldLayoutId id='2147483649' r:id='rId1'/></p:sldLayoutIdLst><p:txStyles>"
    + "".join(f"<p:{name}Style>{_TEXT_STYLE}</p:{name}Style>" for name in ("title", "body", "other"))
    + "</p:txStyles></p:sldMaster>"
)
_LAYOUT = (
    f"<p:sldLayout{_SPACES} type='blank'>{_EMPTY.format(name=' name=' + chr(39) + 'Blank' + chr(39), ground='')}"
    "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
)
_COLORS = {
    "dk1": "000000",
    "lt1": "FFFFFF",
    "dk2": "44546A",
    "lt2": "E7E6E6",
    "accent1": "4472C4",
    "accent2": "ED7D31",
    "accent3": "A5A5A5",
    "accent4": "FFC000",
    "accent5": "5B9BD5",
    "accent6": "70AD47",
    "hlink": "0563C1",
    "folHlink": "954F72",
}


def _theme(typeface: str) -> str:
    colors = "".join(f"<a:{name}><a:srgbClr val='{value}'/></a:{name}>" for name, value in _COLORS.items())
    font = f"<a:latin typeface='{escaped(typeface)}'/><a:ea typeface=''/><a:cs typeface=''/>"
    fonts = f"<a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont>"
    fill = "<a:solidFill><a:schemeClr val='phClr'/></a:solidFill>"
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f"<a:theme xmlns:a='{DRAWING}' name='Scenograph'><a:themeElements>"
        f"<a:clrScheme name='Office'>{colors}</a:clrScheme>"
        f"<a:fontScheme name='Scenograph'>{fonts}</a:fontScheme>"
        f"<a:fmtScheme name='Plain'><a:fillStyleLst>{fill * 3}</a:fillStyleLst>"
        f"<a:lnStyleLst>{f'<a:ln>{fill}</a:ln>' * 3}</a:lnStyleLst>"
        f"<a:effectStyleLst>{effect * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst>"
        "</a:fmtScheme></a:themeElements></a:theme>"
    )
