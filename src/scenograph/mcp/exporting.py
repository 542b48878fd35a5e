"""The export tool: a stored scene as a file in any format.

Over stdio the file may be written below the operator's folder. Otherwise it is embedded in the answer or, if large,
linked as a resource of this server.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from mcp_types import BlobResourceContents, ContentBlock, EmbeddedResource, ResourceLink, TextResourceContents

from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import Api
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.refusals import remark_lines
from scenograph.operating_system import OPENS_WITHIN_FOLDERS
from scenograph.wire.formats import FORMATS, PNG, Format

OPTIONS = ("scale", "theme", "view")
MOST_EMBEDDED = 12_000
"""Characters of a file that comes with the answer: a model pays for each, and reads nothing in most."""


class ExportedFile(NamedTuple):
    """An exported file: its text, or its bytes as base64; `size` in words, empty for a format without dimensions."""

    form: Format
    text: str
    diagnostics: list[dict[str, Any]]
    size: str

    @property
    def content(self) -> bytes:
        """The file's bytes."""
        return base64.b64decode(self.text) if self.form.binary else self.text.encode("utf-8")


async def exported(api: Api, scene_id: str, name: str, options: Mapping[str, Any]) -> ExportedFile:
    """A stored scene in a format. Raises Refusal."""
    form = FORMATS[name]
    reply = await api.post(f"/v1/scenes/{scene_id}/render", {"format": name, **options})
    output = cast("dict[str, Any]", reply["output"])
    content: Any = output["contentBase64"] if form.binary else output["content"]
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return ExportedFile(
        form, text, cast("list[dict[str, Any]]", reply.get("diagnostics") or []), _size(output, options)
    )


def _size(output: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Width and height of a picture in px, and the requested scale."""
    if not {"width", "height"} <= output.keys():
        return ""
    scale = f" at scale {options['scale']:g}" if "scale" in options else ""
    return f", {output['width']:g} × {output['height']:g} px{scale}"


async def export_scene(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A file: written to a path, with the answer, or linked."""
    scene_id, name, path = arguments["sceneId"], arguments["format"], arguments.get("path")
    place = None if path is None else place_of(api.export_dir, path, FORMATS[name])
    options = {option: arguments[option] for option in OPTIONS if option in arguments}
    file = await exported(api, scene_id, name, options)
    structured: dict[str, Any] = {"mimeType": file.form.media_type, "bytes": len(file.content)}
    uri = _address(api.resource(scene_id), name, options)
    files: tuple[ContentBlock, ...] = ()
    if place is not None:
        write_new(place, file.content)
        structured["path"] = str(place)
        said = f"Wrote {place}"
    elif len(file.text) <= MOST_EMBEDDED:
        said, files = f"{scene_id}{file.form.suffix} comes as a resource", (_embedded(uri, file),)
    else:
        link = ResourceLink(uri=uri, name=f"{scene_id}{file.form.suffix}", mime_type=file.form.media_type)
        said, files = f"Give the user this link: {uri}", (link,)
    return ToolAnswer(
        text=f"{said}: {file.form.title} {len(file.content)} bytes{file.size}.",
        structured={**structured, "diagnostics": file.diagnostics},
        remarks=[*_unmet(FORMATS[name], options), *remark_lines(file.diagnostics)],
        files=files,
    )


def _address(scene: str, name: str, options: Mapping[str, Any]) -> str:
    """The address of the file as a resource: that of its scene, the format, then its options."""
    parts = [f"{scene}/export/{name}"]
    if options:
        parts.append(f"{options.get('scale', 1.0):g}")
    rest = {option: value for option, value in options.items() if option != "scale"}
    return "/".join([*parts, quote(json.dumps(rest), safe="")] if rest else parts)


def _unmet(form: Format, options: Mapping[str, Any]) -> list[str]:
    """What of the options the format cannot have."""
    unmet: list[str] = []
    if "scale" in options and form.name != PNG.name:
        unmet.append(f"scale is for png: {form.name} has one size. For more pixels export a png.")
    if "theme" in options and not form.is_themed:
        unmet.append(f"theme shows in pictures: {form.name} has no colours. For the theme export svg, png or pdf.")
    return unmet


def _embedded(uri: str, file: ExportedFile) -> EmbeddedResource:
    kind = file.form.media_type
    if file.form.binary:
        return EmbeddedResource(resource=BlobResourceContents(uri=uri, blob=file.text, mime_type=kind))
    return EmbeddedResource(resource=TextResourceContents(uri=uri, text=file.text, mime_type=kind))


class ExportTarget(NamedTuple):
    """The target of a file: below `folder`, whose links the operator's settings resolved, at `parts`."""

    folder: Path
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.folder.joinpath(*self.parts))


def place_of(folder: Path | None, path: str, form: Format) -> ExportTarget:
    """The target for a path. Raises Wrong for a path outside the folder."""
    if folder is None:
        raise Wrong("path needs a folder to write to: the user sets EXPORT_DIR, over stdio only. Leave path out.")
    if not OPENS_WITHIN_FOLDERS:
        raise Wrong("path cannot be kept from leading through links on this system. Leave path out.")
    parts = PurePosixPath(path.replace("\\", "/"))
    sound = parts.parts and not parts.is_absolute() and ".." not in parts.parts and ":" not in path
    if not sound or not path.isprintable():
        raise Wrong(f"path must be relative to {folder}, without .. in it.")
    if parts.suffix != form.suffix:
        raise Wrong(f"path must end in {form.suffix}, as the format {form.name} does.")
    return ExportTarget(folder, parts.parts)


def write_new(place: ExportTarget, content: bytes) -> None:
    """Write a new file, whole or not at all, with missing parent folders. Raises Wrong on failure."""
    try:
        place.folder.mkdir(parents=True, exist_ok=True)
        with _folder_of(place) as within:
            _fill(within, place.parts[-1], content)
    except FileExistsError as there:
        raise Wrong(f"{place} is there already; choose another path. Nothing is overwritten.") from there
    except OSError as failed:
        linked = failed.errno in {errno.ELOOP, errno.ENOTDIR}
        why = "is reached through a link or a file" if linked else f"cannot be written: {failed.strerror}"
        raise Wrong(f"{place} {why}; nothing was written.") from failed


@contextmanager
def _folder_of(place: ExportTarget) -> Generator[int]:
    """A descriptor of the new file's folder. Each folder on the path is made and opened relative to its parent, never
    through a link: no path component can be exchanged between check and use. Raises OSError."""
    within = os.open(place.folder, os.O_DIRECTORY)
    try:
        for folder in place.parts[:-1]:
            with suppress(FileExistsError):
                os.mkdir(folder, dir_fd=within)
            inner = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
            os.close(within)
            within = inner
        yield within
    finally:
        os.close(within)


def _fill(within: int, name: str, content: bytes) -> None:
    """Write and sync a temporary file, then give it the name unless taken. Raises OSError."""
    beside = f".scenograph-{secrets.token_hex(8)}"
    try:
        with os.fdopen(_opened_new(within, beside), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, name, src_dir_fd=within, dst_dir_fd=within)
        except FileExistsError:
            raise
        except OSError:  # a file system without second names: an empty file keeps the name until then
            os.close(_opened_new(within, name))
            os.replace(beside, name, src_dir_fd=within, dst_dir_fd=within)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=within)


def _opened_new(within: int, name: str) -> int:
    """A descriptor of a newly created file. Raises OSError for an existing file."""
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=within)
