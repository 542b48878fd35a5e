"""Places and origins, as statements (storage/places.py).

The primary key decides between two writers; the row of the second is dropped. A foreign key to the revision removes
both tables' rows with the scene.
"""

from __future__ import annotations

import json

from sqlalchemy import and_, bindparam, func, insert, literal, select

from scenograph.storage.connections import AnyRow, ConstraintBroken, DatabaseEngines, repeated
from scenograph.storage.places import Basis, KeptPlaces, Origin, SceneKey, pack, unpack
from scenograph.storage.schema import ACTIVE, origins, places, revisions, scenes, within_column

FIRST_REVISION = 1

_KEY = select(scenes.c.id, scenes.c.revision).where(ACTIVE)
_KEPT = select(places.c.encoding, places.c.places).where(
    places.c.scene == bindparam("key"), places.c.revision == bindparam("asked")
)
# Places are written in order: the last row tells the count.
_LAST = select(func.max(places.c.revision)).where(places.c.scene == bindparam("key"))

_restoring, _restored = origins.alias("restoring"), places.alias("restored")
_DOCUMENT = (
    select(
        revisions.c.encoding,
        revisions.c.document,
        _restored.c.encoding.label("restored_encoding"),
        _restored.c.places.label("restored"),
    )
    .join_from(
        revisions,
        _restoring,
        and_(_restoring.c.scene == revisions.c.scene, _restoring.c.revision == revisions.c.revision),
        isouter=True,
    )
    .join(
        _restored,
        and_(_restored.c.scene == _restoring.c.scene, _restored.c.revision == _restoring.c.restores),
        isouter=True,
    )
    .where(revisions.c.scene == bindparam("key"), revisions.c.revision == bindparam("asked"))
)
_FORMER = (
    select(places.c.revision, places.c.encoding, places.c.places)
    .where(
        places.c.scene == bindparam("key"),
        places.c.revision < bindparam("asked"),
        places.c.encoding.is_not(None),
    )
    .order_by(places.c.revision.desc())
    .limit(literal(1))
)
_ORIGINS = (
    select(origins)
    .where(
        origins.c.scene == bindparam("key"),
        origins.c.revision > bindparam("since"),
        origins.c.revision <= bindparam("asked"),
    )
    .order_by(origins.c.revision)
)


class PlaceStore(DatabaseEngines):
    """Part of the store: places and their origins."""

    def scene_key(self, owner: str, scene_id: str) -> SceneKey | None:
        """An indexed look-up; no document is read."""
        row = self._row(_KEY, owner=owner, scene=scene_id)
        return None if row is None else SceneKey(key=row.id, revision=row.revision)

    def kept_places(self, key: int, revision: int) -> KeptPlaces | None:
        """An indexed look-up."""
        row = self._row(_KEPT, key=key, asked=within_column(revision))
        return None if row is None else KeptPlaces(places=_text(row.encoding, row.places))

    def first_unplaced(self, key: int, until: int) -> int | None:
        """The revision after the last written row."""
        row = self._row(_LAST, key=key)
        last = row[0] if row is not None else None
        first = FIRST_REVISION if last is None else last + 1
        return first if first <= until else None

    def basis(self, key: int, revision: int) -> Basis | None:
        """Three statements over immutable rows, without need for a common instant."""
        row = self._row(_DOCUMENT, key=key, asked=within_column(revision))
        if row is None:
            return None
        former = self._row(_FORMER, key=key, asked=revision)
        since = 0 if former is None else former.revision
        return Basis(
            document=unpack(row.encoding, row.document),
            former=None if former is None else unpack(former.encoding, former.places),
            origins=tuple(map(_origin, self._rows(_ORIGINS, key=key, since=since, asked=revision))),
            restored=_text(row.restored_encoding, row.restored),
        )

    @repeated
    def keep_places(self, key: int, revision: int, text: str | None) -> None:
        """Insert; an existing row or a missing scene refuses the insert silently."""
        encoding, kept = (None, None) if text is None else pack(text)
        row: dict[str, object] = {"scene": key, "revision": revision, "encoding": encoding, "places": kept}
        try:
            with self._write() as connection:
                connection.execute(insert(places), row)
        except ConstraintBroken:
            return


def origin_row(origin: Origin) -> tuple[dict[str, object], int]:
    """The row of an origin, without its revision, and its size in bytes."""
    encoding, kept = (None, None) if origin.sketch is None else pack(origin.sketch)
    relaid = json.dumps(origin.relaid)
    row: dict[str, object] = {
        "restores": origin.restores,
        "relays_all": origin.relays_all,
        "relaid": relaid,
        "encoding": encoding,
        "sketch": kept,
    }
    return row, len(relaid) + len(kept or b"")


def _origin(row: AnyRow) -> Origin:
    return Origin(
        sketch=_text(row.encoding, row.sketch),
        relaid=tuple(json.loads(row.relaid)),
        relays_all=row.relays_all,
        restores=row.restores,
    )


def _text(encoding: str | None, kept: bytes | None) -> str | None:
    return None if encoding is None or kept is None else unpack(encoding, kept)
