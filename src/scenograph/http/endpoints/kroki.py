"""Pictures for documentation tools, at the addresses of Kroki (R-KROKI-1): type, format and source in, a bare file out.

Every readable source has the name that Kroki gives it. What is partly readable is drawn; refusals are plain text. The
source of a GET is packed by zlib and base64url; replies to it are cacheable, for the same address is the same picture.
"""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from anyio.to_thread import run_sync
from fastapi import Depends, Request
from starlette.responses import Response

from scenograph.http.answers import BY_ENCODING, has_tag, picture_response, preferred, tag_of
from scenograph.http.engine_turns import engine_turn
from scenograph.http.guards import Serving, json_object, most_elements, plain_body
from scenograph.scene.description.document import spoken_page
from scenograph.scene.json_values import JsonObject, is_object
from scenograph.scene.near_names import NameBudget, nearest
from scenograph.scene.strict_json import StrictJsonError, parse
from scenograph.scene.strict_yaml import StrictYamlError
from scenograph.scene.strict_yaml import parse as parse_yaml
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.wire.formats import PDF, PNG, SVG, TEXT, Format
from scenograph.wire.names import SOURCE_BYTES
from scenograph.wire.source_formats import BY_NAME, SCENE
from scenograph.wiring import Services
from scenograph.workers import LIGHT_BYTES

TYPES = tuple(dict.fromkeys((*BY_NAME, SCENE)))
OUTPUTS: Mapping[str, Format] = MappingProxyType({"svg": SVG, "png": PNG, "pdf": PDF, "txt": TEXT})
OPTIONS = ("theme", "aspect-ratio", "page", "scale")
HEADER = "kroki-diagram-options-"
# Options may come in headers: caches keep a picture for each of them.
LASTING = {"Cache-Control": "public, max-age=86400", "Vary": ", ".join(HEADER + name for name in OPTIONS)}
# Themes of Mermaid, in the words of this service; None leaves it to the scene.
_THEMES: Mapping[str, str | None] = MappingProxyType(
    {"default": None, "base": None, "neutral": None, "forest": None, "light": None}
)
RawText = Annotated[bytes, Depends(plain_body)]


class Wish(NamedTuple):
    """A picture that is asked for: the name of a type, a format, the source and the options."""

    kind: str
    output: Format
    source: str
    options: Mapping[str, Any]


async def kroki_get(request: Request, services: Serving, kind: str, output: str, source: str) -> Response:
    """The picture of a source that stands in the address."""
    wish = Wish(_kind(kind), _output(output), _unpacked(source), _options(request, {}))
    asked = [wish.kind, wish.output.name, wish.options]
    headers = {**tag_of(services.kept_pictures.key(asked, wish.source)), **LASTING}
    if has_tag(request, headers):
        return Response(status_code=304, headers={**headers, "Vary": f"{LASTING['Vary']}, {BY_ENCODING['Vary']}"})
    return await _drawn(request, services, wish, headers)


async def kroki_post(
    request: Request, services: Serving, raw: RawText, kind: str | None = None, output: str | None = None
) -> Response:
    """The picture of a source in the body: as text, or in JSON with what the address does not say."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json":
        body = await json_object(request, services, raw)
        return await _drawn(request, services, _of_json(request, body, kind, output), {})
    if kind is None:
        raise invalid_request("Send JSON with diagram_type, diagram_source and output_format.")
    wanted = output or _by_accept(request)
    wish = Wish(_kind(kind), _output(wanted), _text(raw), _options(request, {}))
    return await _drawn(request, services, wish, {})


def _of_json(request: Request, body: JsonObject, kind: str | None, output: str | None) -> Wish:
    said = {name: body.get(name) for name in ("diagram_source", "diagram_type", "output_format")}
    for name, value in said.items():
        if value is not None and not isinstance(value, str):
            raise invalid_request(f"{name} must be text.")
    source, named, form = said.values()
    if source is None or (named or kind) is None:
        raise invalid_request("The body needs diagram_source, and diagram_type where the address names no type.")
    if len(source) > SOURCE_BYTES:
        raise _too_large()
    options = body.get("diagram_options")
    given = options if is_object(options) else {}
    return Wish(_kind(kind or named), _output(output or form or _by_accept(request)), source, _options(request, given))


async def _drawn(request: Request, services: Services, wish: Wish, headers: Mapping[str, str]) -> Response:
    if not wish.source.strip():
        raise invalid_request("The source is empty.")
    most = most_elements(request, services)

    def draw() -> Response:
        options = {**wish.options, "format": wish.output.name}
        picture = services.rendering.inline({"scene": _document(services, wish, most), **options}, most_elements=most)
        found = picture.kept() or picture.drawn()
        return picture_response(found.mime_type, found.content, headers)

    async with engine_turn(request, services, len(wish.source)):
        return await run_sync(draw)


def _document(services: Services, wish: Wish, most: int | None) -> JsonObject:
    """The scene of a source."""
    if wish.kind != SCENE:
        return services.sources.read({"source": wish.source, "format": BY_NAME[wish.kind].name}, most).document
    value = _scene(wish.source)
    if not is_object(value):
        raise invalid_request("The source must be a scene document.")
    return value


def _scene(text: str) -> object:
    if text.lstrip().startswith("{"):
        try:
            return parse(text.encode("utf-8", "surrogatepass"))
        except StrictJsonError as wrong:
            raise invalid_request(str(wrong)) from None
    if len(text) > LIGHT_BYTES:
        raise invalid_request(f"A scene in YAML has at most {LIGHT_BYTES} characters here; send JSON.")
    try:
        return parse_yaml(text)
    except StrictYamlError as wrong:
        raise invalid_request(str(wrong)) from None


def _kind(name: str | None) -> str:
    known = (name or "").lower()
    if known not in TYPES:
        near = nearest(known[:80], TYPES, NameBudget())
        hint = f" Did you mean {near}?" if near else ""
        raise ServiceError("not_found", f"There is no type {known[:80]!r}; the types are: {', '.join(TYPES)}.{hint}")
    return known


def _output(name: str) -> Format:
    found = OUTPUTS.get(name.lower())
    if found is None:
        raise invalid_request(f"The format {name[:80]!r} is not one of: {', '.join(OUTPUTS)}.")
    return found


def _by_accept(request: Request) -> str:
    types = {form.media_type: name for name, form in OUTPUTS.items()}
    return types[preferred(request.headers.get("accept", ""), tuple(types))]


def _unpacked(packed: str) -> str:
    """The source that stands in an address."""
    bare = packed.strip().rstrip("=").replace("+", "-").replace("/", "_")
    try:
        raw = urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(raw, SOURCE_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise invalid_request("The source in the address must be packed by zlib and encoded as base64url.") from None
    if not unpacking.eof and len(text) <= SOURCE_BYTES:
        raise invalid_request("The source in the address is cut off; it must be whole, packed by zlib.")
    return _text(text)


def _text(raw: bytes) -> str:
    if len(raw) > SOURCE_BYTES:
        raise _too_large()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise invalid_request(f"The source must be UTF-8; byte {wrong.start} is not.") from None


def _too_large() -> ServiceError:
    return ServiceError("body_too_large", f"The source is larger than {SOURCE_BYTES} bytes.")


def _options(request: Request, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a picture, of JSON, the address and headers, the last first. Those of other renderers are looked
    over."""
    said: dict[str, Any] = {}
    for name in OPTIONS:
        value = request.headers.get(HEADER + name) or request.query_params.get(name) or given.get(name)
        if value is not None:
            said[name] = value
    wishes: dict[str, Any] = {}
    theme = said.get("theme")
    if theme is not None and (theme := _THEMES.get(str(theme), theme)) is not None:
        wishes["theme"] = theme
    if "scale" in said:
        wishes["scale"] = _number("scale", said["scale"])
    view: dict[str, Any] = {}
    if "aspect-ratio" in said:
        view["aspectRatio"] = _number("aspect-ratio", said["aspect-ratio"])
    if "page" in said:
        view["page"] = spoken_page(str(said["page"]))
    return {**wishes, "view": view} if view else wishes


def _number(name: str, value: object) -> float:
    try:
        number = float(str(value))
        json.dumps(number, allow_nan=False)
    except ValueError:
        raise invalid_request(f"{name} must be a number.") from None
    return number


class Address(NamedTuple):
    """One address of the Kroki protocol, left out of the API description: clients know it already."""

    method: str
    path: str
    handler: Callable[..., Awaitable[Response]]


KROKI_ADDRESSES = (
    Address("GET", "/kroki/{kind}/{output}/{source}", kroki_get),
    *(
        Address("POST", f"/kroki{named}{slash}", kroki_post)  # a client may join its parts with a slash at the end
        for named in ("/{kind}/{output}", "/{kind}", "")
        for slash in ("", "/")
    ),
)
