"""One trial: a source is imported, drawn, followed, edited, exported and followed again, over HTTP.

In: a caller of a running service, a source, a seed. Out: findings, each of a kind that is the same for the same fault
in other sources, and figures. Whatever the source holds, no call may end in a 5xx, nothing may be lost unsaid, and
nothing may change that nobody changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from typing import Any, NamedTuple

from chance.operations import done
from chance.scenes import Seeded
from local_servers.calling import Caller

from field_trials import outlines
from field_trials.files import Input
from field_trials.parts import without
from scenograph.wire.formats import FORMATS
from scenograph.wire.source_formats import SOURCE_FORMATS

Json = dict[str, Any]
THEMES = (("clean", "dark"), ("clean", "sketch"), ("blueprint", "clean"), ("sketch", "dark"))
STEPS = ("import", "draw", "sync", "normalized", "edit", "export", "follow")
MOVES_NOTHING = ("restyle", "delete", "add edge")
SLACK = 1.0  # px
READ_BACK = tuple(SOURCE_FORMATS)
FAMILY, CHART = "diagramFamily", "sequence"
_SCENES = count(1)


class Finding(NamedTuple):
    """What went wrong: the kind, and what it was here. `is_fault` is false of what is only noted."""

    kind: str
    detail: str
    is_fault: bool = True


class Stop(Exception):  # noqa: N818 - a state
    """The trial cannot go on."""


@dataclass(slots=True)
class Trial:
    """A trial as it goes. `steps` are those to run; `edits` so many edits are made."""

    caller: Caller
    source: Input
    seed: int
    edits: int = 8
    steps: Sequence[str] = STEPS
    findings: list[Finding] = field(default_factory=list[Finding])
    figures: Json = field(default_factory=dict[str, Any])
    scene_id: str = ""

    def run(self) -> None:
        """All steps; `findings` and `figures` tell what came of them."""
        try:
            document = self._imported()
            if document is None:
                return
            self.scene_id = self._created(document)
            for step in self.steps:
                with suppress(Stop):
                    _STEPS.get(step, _nothing)(self, document)
        except Stop:
            return
        except (OSError, HTTPException) as broken:
            self._found("connection", f"{type(broken).__name__}: {broken}")
            self.caller.close()

    def _found(self, kind: str, detail: object = "", *, is_fault: bool = True) -> None:
        self.findings.append(Finding(kind, str(detail)[:400], is_fault))

    def _call(self, step: str, method: str, path: str, body: object = None, allowed: Sequence[int] = ()) -> Json:
        """The reply of a call that succeeds. Stop where it does not, which is found, or where its status is allowed to
        be another."""
        status, reply = self.caller.call(method, path, body)
        if status < 300:
            return reply
        code = str(reply.get("code") or reply.get("error", {}).get("code") or "")
        if status not in allowed:
            self._found(f"{step}: {status} {code}", json.dumps(reply))
        raise Stop

    def _path(self, rest: str = "") -> str:
        return f"/v1/scenes/{self.scene_id}{rest}"

    def _source(self, text: str | None = None) -> Json:
        return {"format": self.source.form, "source": self.source.text if text is None else text}

    def _imported(self) -> Json | None:
        status, reply = self.caller.call("POST", "/v1/scenes/import", self._source())
        if status != 200:
            told = json.dumps(reply)
            code = str(reply.get("code") or reply.get("error", {}).get("code") or "")
            is_refusal = status in (413, 422) and (code != "validation_failed" or "LIMIT_EXCEEDED" in told)
            self._found(f"import: {status} {code}", told, is_fault=not is_refusal)
            self.figures["refused"] = code
            return None
        document, remarks = reply["scene"], reply["diagnostics"]
        again = self._call("import again", "POST", "/v1/scenes/import", self._source())
        if again != reply:
            self._found("import: another document the second time")
        if "import" in self.steps:
            self._compare_outline(document, remarks)
        return document

    def _compare_outline(self, document: Json, remarks: Sequence[Json]) -> None:
        told = [row for row in remarks if row["code"] == "IMPORT_LOSS"]
        outline = outlines.of_source(self.source.form, self.source.text)
        boxes, lines, containers = outlines.of_document(document)
        self.figures |= {"boxes": boxes, "lines": lines, "containers": containers, "losses": len(told)}
        pairs = {"boxes": (outline.boxes, boxes), "lines": (outline.lines, lines)}
        pairs["containers"] = (outline.containers, containers)
        silent = not told
        for what, (meant, has) in pairs.items():
            if meant is not None and has < meant:
                self._found(f"import: fewer {what}", f"{has} of {meant}, {len(told)} losses told", is_fault=silent)
        missing = outlines.missing(outline.names, [*outlines.texts(document), *(row["message"] for row in told)])
        if missing:
            self._found("import: words are missing", missing[:8], is_fault=silent)

    def _created(self, document: Json) -> str:
        scene_id = f"trial-{next(_SCENES)}"
        scene = {**document["scene"], "id": scene_id}
        self._call("create", "POST", "/v1/scenes", {**document, "scene": scene})
        return scene_id

    def _picture(self, step: str, form: str = "svg", **asked: object) -> Json:
        return self._call(step, "POST", self._path("/render"), {"format": form, **asked})

    def _draw(self, _: Json) -> None:
        for theme in THEMES[self.seed % len(THEMES)]:
            picture = self._picture(f"draw {theme}", theme=theme)
            if self._picture(f"draw {theme}", theme=theme)["output"] != picture["output"]:
                self._found("draw: other bytes the second time", theme)
            self._told_faults("draw", picture)

    def _told_faults(self, step: str, reply: Json) -> None:
        if any(row["code"] == "PLACES_NOT_KEPT" for row in reply.get("diagnostics", ())):
            self._found(f"{step}: PLACES_NOT_KEPT")

    def _sync(self, _: Json) -> None:
        self._in_step("sync", self.scene_id, self._source(), 1)

    def _in_step(self, step: str, scene_id: str, source: Json, base: int, **asked: object) -> None:
        body = {**source, "baseRevision": base, "dryRun": True, **asked}
        for op in self._call(step, "POST", f"/v1/scenes/{scene_id}/sync", body)["ops"][:1]:
            members = sorted(name for name in op if name not in ("op", "id"))
            self._found(f"{step}: not empty: {op['op']} {' '.join(members)}", json.dumps(op))

    def _normalized(self, document: Json) -> None:
        normal = self._call("normalize", "POST", "/v1/scenes/normalize", document)
        del normal["diagnostics"]
        scene = {**normal["scene"], "id": f"trial-{next(_SCENES)}"}
        self._call("create normalized", "POST", "/v1/scenes", {**normal, "scene": scene})
        self._in_step("sync normalized", scene["id"], self._source(), 1)

    def _read(self, step: str, revision: int | None = None) -> tuple[Json, Json]:
        asked = "" if revision is None else f"&revision={revision}"
        reply = self._call(step, "GET", self._path(f"?computed=true{asked}"))
        return reply["scene"], reply["computed"]["bounds"]

    def _edit(self, _: Json) -> None:
        chance, revision = Seeded(self.seed), 1
        first = self._picture("draw first")["output"]
        document, bounds = self._read("read")
        for _number in range(self.edits):
            kind, ops = done(document, chance)
            if not ops:
                continue
            body = {"schemaVersion": "0.1", "sceneId": self.scene_id, "baseRevision": revision, "ops": ops}
            status, reply = self.caller.call("POST", self._path("/applyOps"), body)
            if status != 200:
                told = [f"{row['code']} {row['message']}" for row in reply.get("diagnostics", ())]
                code = " ".join(dict.fromkeys(row.partition(" ")[0] for row in told)) or json.dumps(reply)[:80]
                self._found(f"edit {kind}: {status} {code}", [told, ops], is_fault=status != 422)
                continue
            self._told_faults(f"edit {kind}", self._picture(f"draw after {kind}"))
            self._compare_difference(kind, revision, reply)
            later, places = self._read(f"read after {kind}")
            self._compare_places(kind, (document, later), (bounds, places), reply["changedElementIds"])
            document, bounds, revision = later, places, reply["revision"]
        if revision > 1:
            self._picture("draw difference", diff={"fromRevision": 1})
            self._restore(revision, first)

    def _compare_difference(self, kind: str, base: int, reply: Json) -> None:
        difference = self._call("diff", "GET", self._path(f"/diff?from={base}"))
        told = sorted({*difference["added"], *difference["removed"], *difference["modified"]})
        if told != reply["changedElementIds"]:
            self._found(f"diff after {kind}: other elements than the edit names", [told, reply["changedElementIds"]])

    def _compare_places(
        self, kind: str, documents: tuple[Json, Json], bounds: tuple[Json, Json], changed: Sequence[str]
    ) -> None:
        """Untouched nodes stay where what an edit does needs no room; a chart closes the gap that it leaves."""
        before, after = bounds
        lost = {one["id"] for one in documents[1]["elements"] if "layout" not in one} - after.keys()
        boxed = {one["id"] for one in documents[1]["elements"] if one["kind"] in ("node", "frame", "text", "image")}
        if lost & boxed:
            self._found(f"edit {kind}: an element has no place", sorted(lost & boxed)[:3])
        if kind not in MOVES_NOTHING or documents[1].get(FAMILY) == CHART:
            return
        nodes = [one["id"] for one in documents[1]["elements"] if one["kind"] == "node" and one["id"] not in changed]
        moved = [
            one
            for one in nodes
            if one in before
            and one in after
            and any(abs(before[one][side] - after[one][side]) > SLACK for side in "xy")
        ]
        if moved:
            self._found(f"edit {kind}: untouched nodes moved", moved[:5], is_fault=False)

    def _restore(self, revision: int, first: Json) -> None:
        document, bounds = self._read("read first", 1)
        body = {"revision": 1, "baseRevision": revision}
        self._call("restore", "POST", self._path("/restore"), body)
        again, places = self._read("read restored")
        if again != document:
            self._found("restore: another document")
        if places != bounds:
            self._found("restore: other places")
        if self._picture("draw restored")["output"] != first:
            self._found("restore: another picture")

    def _export(self, document: Json) -> None:
        for form, row in FORMATS.items():
            if form == "svg" or not row.holds(document.get(FAMILY)):
                continue
            try:
                picture = self._picture(f"export {form}", form)
                self._told_faults(f"export {form}", picture)
                if form in READ_BACK and _seen(document)["elements"]:
                    self._read_back(form, document, picture)
            except Stop:
                continue

    def _read_back(self, form: str, document: Json, picture: Json) -> None:
        source = {"format": form, "source": picture["output"]["content"]}
        reply = self._call(f"read back {form}", "POST", "/v1/scenes/import", source, (413,))
        losses = [row for row in (*picture["diagnostics"], *reply["diagnostics"]) if row["code"].endswith("_LOSS")]
        before, after = outlines.of_document(_without_guides(document)), outlines.of_document(reply["scene"])
        for what, has, had in zip(("boxes", "lines"), after[:2], before[:2], strict=True):
            if has < had:
                self._found(
                    f"read back {form}: fewer {what}", f"{has} of {had}, {len(losses)} losses", is_fault=not losses
                )
        missing = outlines.missing(_shown(document), outlines.texts(reply["scene"]))
        if missing:
            self._found(f"read back {form}: words are missing", missing[:8], is_fault=not losses)

    def _follow(self, document: Json) -> None:
        """The scene follows a changed source: then it is what the changed source says."""
        revision = int(self._call("read", "GET", self._path())["revision"])
        for attempt in range(4):
            text = without(self.source.form, self.source.text, Seeded(self.seed * 4 + attempt))
            status, fresh = self.caller.call("POST", "/v1/scenes/import", self._source(text))
            if status == 200 and fresh["scene"]["elements"] != document["elements"]:
                break
            if status >= 500:
                self._found(f"import changed: {status}", json.dumps(fresh))
        else:
            return
        asked = {"prune": True}
        body = {**self._source(text), "baseRevision": revision, **asked}
        reply = self._call("sync changed", "POST", self._path("/sync"), body)
        self._told_faults("sync changed", self._picture("draw after sync"))
        self._in_step("sync changed again", self.scene_id, self._source(text), reply["revision"], **asked)
        scene = self._call("read synced", "GET", self._path())["scene"]
        for what, meant, has in _differences(fresh["scene"], scene):
            self._found(f"sync changed: other {what}", f"{has} instead of {meant}; {json.dumps(reply['ops'])[:250]}")


def _nothing(_: Trial, __: Json) -> None:
    """A step that is part of another."""


_STEPS: Mapping[str, Any] = {
    "draw": Trial._draw,  # noqa: SLF001 (a table of its own methods)
    "sync": Trial._sync,  # noqa: SLF001
    "normalized": Trial._normalized,  # noqa: SLF001
    "edit": Trial._edit,  # noqa: SLF001
    "export": Trial._export,  # noqa: SLF001
    "follow": Trial._follow,  # noqa: SLF001
}


def _seen(document: Json) -> Json:
    """The document as it is seen, and without guides."""
    seen = (one for one in document["elements"] if one.get("visible") is not False)
    return _without_guides({**document, "elements": [*seen]})


def _without_guides(document: Json) -> Json:
    """The document without guides, which no other tool has."""
    return {**document, "elements": [one for one in document["elements"] if one["kind"] != "guide"]}


def _shown(document: Json) -> list[str]:
    """What is drawn as labels, titles or texts."""
    rows = (one.get(name) for one in document["elements"] for name in ("label", "title", "content"))
    return [str(row) for row in rows if row]


def _differences(meant: Json, has: Json) -> Iterator[tuple[str, object, object]]:
    """Where a synced scene differs from a fresh import: boxes, their words and homes, lines and theirs."""
    first, second = _graph(meant), _graph(has)
    for what, one in first.items():
        other = second[what]
        if one != other:
            yield what, sorted(one - other)[:3], sorted(other - one)[:3]


def _graph(document: Json) -> dict[str, set[str]]:
    origin = {one["id"]: _origin(one) for one in document["elements"]}
    homes = {child: one["id"] for one in document["elements"] for child in one.get("children") or ()}
    boxes, inside, lines = set[str](), set[str](), set[str]()
    for one in document["elements"]:
        text = one.get("label") or one.get("title") or one.get("content") or ""
        if one["kind"] == "edge":
            ends = [origin.get(one[end]["elementId"], "?") for end in ("from", "to")]
            lines.add(f"{' -> '.join(ends)}: {text}")
        else:
            boxes.add(f"{one['kind']} {origin[one['id']]}: {text} {one.get('nodeType', '')}")
            if one["id"] in homes:
                inside.add(f"{origin[one['id']]} in {origin.get(homes[one['id']], '?')}")
    return {"boxes": boxes, "homes": inside, "lines": lines}


def _origin(element: Json) -> str:
    source = (element.get("metadata") or {}).get("source")
    return str(source.get("id") if isinstance(source, dict) else element["id"])


def general(kind: str) -> str:
    """A kind without the numbers that differ from source to source."""
    return re.sub(r"\d{4,}", "N", kind)
