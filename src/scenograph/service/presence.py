"""Listeners of a scene: who has it open at the moment, and the edits that they are told."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from scenograph.late_dataclasses import dataclass, field
from scenograph.service.clock import Clock
from scenograph.service.errors import invalid_request, require_possible, scene_not_found
from scenograph.service.people import SceneAccess, read_place
from scenograph.service.render_requests import read_member, read_required
from scenograph.storage.interface import PUBLIC, Later, SceneState, Store, WatchedScenes
from scenograph.wire.members import POINTED_AT, SELECTION, TAB, TAB_NAME

# Presence: who has a scene open at the moment, the selection and the pointer of each (R-PEOPLE-10).
#
# Nothing is stored. A person is present by a tab whose event stream runs; a tab tells its selection and pointer by
# calls of its own, which may reach another server. Servers know of each other's people by rooms in Redis; without Redis
# each server tells of its own.

MOST_PEOPLE = 50  # of a scene, as told; each account's first tab before anybody's second
LIFE_SECONDS = 45.0  # of an entry that its server no longer renews
_RENEWED_SECONDS = 15.0
PERSON, WHERE = "p", "w"  # kinds of entries
_POSSIBLE_TAB = re.compile(TAB_NAME)


class PresenceRooms(Protocol):
    """Short-lived entries by room and name, shared by the servers of a database. An unreachable one acts as empty."""

    @property
    def is_remote(self) -> bool:
        """Whether asking takes the way to another machine."""
        ...

    def put(self, room: str, entries: Mapping[str, bytes]) -> None:
        """Write entries, replacing entries of the same names."""
        ...

    def remove(self, room: str, names: Sequence[str]) -> None:
        """Remove entries."""
        ...

    def entry(self, room: str, name: str) -> bytes | None:
        """An entry, or None."""
        ...

    def entries(self, rooms: Collection[str]) -> Mapping[str, Mapping[str, bytes]]:
        """All entries of these rooms."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


class MemoryRooms:
    """The rooms of a single server. Thread-safe."""

    is_remote = False

    def __init__(self) -> None:
        self._rooms: dict[str, dict[str, bytes]] = {}
        self._lock = threading.Lock()

    def put(self, room: str, entries: Mapping[str, bytes]) -> None:
        """Under a lock."""
        with self._lock:
            self._rooms.setdefault(room, {}).update(entries)

    def remove(self, room: str, names: Sequence[str]) -> None:
        """An empty room is forgotten."""
        with self._lock:
            held = self._rooms.get(room, {})
            for name in names:
                held.pop(name, None)
            if not held:
                self._rooms.pop(room, None)

    def entry(self, room: str, name: str) -> bytes | None:
        """Under a lock."""
        with self._lock:
            return self._rooms.get(room, {}).get(name)

    def entries(self, rooms: Collection[str]) -> Mapping[str, Mapping[str, bytes]]:
        """Copies."""
        with self._lock:
            return {room: dict(self._rooms.get(room, {})) for room in rooms}

    def close(self) -> None:
        """Nothing is held."""


class Where(NamedTuple):
    """The selected ids of a tab, and its pointer in px of the scene; None off the picture."""

    selection: tuple[str, ...] = ()
    at: tuple[float, float] | None = None


class Tab(NamedTuple):
    """A tab of a caller's on a scene, named by itself."""

    scene: SceneAccess
    name: str
    role: str

    @property
    def room(self) -> str:
        """The room of its scene."""
        return room_of(self.scene)

    @property
    def id(self) -> str:
        """The id of the tab as told: of the account too, so that nobody speaks for another's tab."""
        return _id_of(self.scene, self.name)


class Person(NamedTuple):
    """Somebody present by a tab; `name` is the verified address, else the account's id."""

    id: str
    account_id: str
    name: str
    role: str
    where: Where


def room_of(scene: SceneAccess) -> str:
    """The room of a scene; no id of either kind holds a slash."""
    return f"{scene.owner}/{scene.scene_id}"


def _id_of(scene: SceneAccess, tab: str) -> str:
    return hashlib.sha256(f"{scene.caller.account_id}\0{tab}".encode()).hexdigest()[:16]


@dataclass(slots=True)
class _Written:
    """The role of a tab as written, and the times of its arrival and of its last renewal."""

    role: str
    since: float
    renewed: float


@dataclass(slots=True)
class Presence:
    """The people of all scenes, as this server knows them. Thread-safe for one `exchange` at a time."""

    rooms: PresenceRooms
    clock: Clock
    _known: dict[tuple[str, str], _Written] = field(default_factory=dict[tuple[str, str], _Written])

    @property
    def is_remote(self) -> bool:
        """Whether an exchange takes the way to another machine."""
        return self.rooms.is_remote

    def exchange(self, tabs: Iterable[Tab]) -> Mapping[str, tuple[Person, ...]]:
        """Announce exactly the given tabs as present, and return the present people of the tabs' rooms, by room."""
        now = self.clock().timestamp()
        here = {(tab.room, tab.id): tab for tab in tabs}
        for room, name in [one for one in self._known if one not in here]:
            del self._known[room, name]
            self.rooms.remove(room, [f"{PERSON}:{name}", f"{WHERE}:{name}"])
        for (room, name), tab in here.items():
            written = self._known.get((room, name))
            if written and written.role == tab.role and now - written.renewed < _RENEWED_SECONDS:
                continue
            since = written.since if written else now
            self._known[room, name] = _Written(tab.role, since, now)
            self.rooms.put(room, {f"{PERSON}:{name}": _person_entry(tab, since, now)})
        found = self.rooms.entries({room for room, _ in here})
        return {room: _people(entries, now) for room, entries in found.items()}

    def place(self, scene: SceneAccess, tab: str, where: Where) -> bool:
        """Announce the whereabouts of a tab's caller; False for an absent tab."""
        room, name = room_of(scene), _id_of(scene, tab)
        if self.rooms.entry(room, f"{PERSON}:{name}") is None:
            return False
        self.rooms.put(room, {f"{WHERE}:{name}": _json([list(where.selection), where.at])})
        return True

    def close(self) -> None:
        """Leave all rooms."""
        self.exchange(())
        self.rooms.close()


def _people(entries: Mapping[str, bytes], now: float) -> tuple[Person, ...]:
    """The people of a room, the first to come first. Of too many the later tabs of an account are left out first."""
    tabs = Counter[str]()
    found: list[tuple[float, str, Person]] = []
    for key, entry in entries.items():
        kind, _, name = key.partition(":")
        told = _object(entry) if kind == PERSON else None
        if told is None or not now - told["renewed"] < LIFE_SECONDS:
            continue
        where = _where(entries.get(f"{WHERE}:{name}"))
        found.append((told["since"], name, Person(name, told["accountId"], told["name"], told["role"], where)))
    found.sort(key=lambda row: row[:2])
    turns: list[int] = []
    for *_, person in found:
        turns.append(tabs[person.account_id])
        tabs[person.account_id] += 1
    told = sorted(sorted(range(len(found)), key=turns.__getitem__)[:MOST_PEOPLE])
    return tuple(found[at][2] for at in told)


def read_where(body: Mapping[str, Any]) -> tuple[str, Where]:
    """The tab and its whereabouts in a request. Raises invalid_request."""
    tab, at = read_required(body, TAB), body.get(POINTED_AT.name)
    if not _POSSIBLE_TAB.fullmatch(tab):
        raise invalid_request("tab may have letters, digits, - and _ only.")
    selection = tuple(read_member(body, SELECTION, default=()))
    return tab, Where(selection, None if at is None else read_place(at))


def _person_entry(tab: Tab, since: float, now: float) -> bytes:
    caller = tab.scene.caller
    name = caller.email or caller.account_id
    return _json({"accountId": caller.account_id, "name": name, "role": tab.role, "since": since, "renewed": now})


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _object(entry: bytes) -> dict[str, Any] | None:
    """The members of a person's entry; None for an entry of another version."""
    try:
        told = json.loads(entry)
        return told if {"accountId", "name", "role", "since", "renewed"} <= told.keys() else None
    except (ValueError, AttributeError):
        return None


def _where(entry: bytes | None) -> Where:
    try:
        selection, at = json.loads(entry or b"")
        return Where(tuple(cast("list[str]", selection)), None if at is None else (at[0], at[1]))
    except (ValueError, TypeError, IndexError):
        return Where()


# Watching scenes for edits: repeated questions of a server with listeners to the store. A single query serves all
# listeners of a server, and its cost does not grow with their number.

REVOKED, DELETED, MADE_PRIVATE, WITHDRAWN = "revoked", "deleted", "made_private", "grant_withdrawn"


class Watch(NamedTuple):
    """A watcher, its scene, and the last known state and role."""

    scene: SceneAccess
    state: SceneState
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """News of a watched scene: its state and the watcher's role now, the revisions since the last look, or why the
    watch ended."""

    state: SceneState
    role: str
    later: Later = Later()
    comments: tuple[str, ...] = ()
    over: str | None = None


class Watching:
    """Looks for news of watched scenes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, scene: SceneAccess) -> Watch:
        """A watch from the scene's present state on; scene_not_found."""
        require_possible(scene.scene_id)
        place = scene.owner, scene.scene_id
        found = self._store.watched_scenes([place], []).scenes.get(place)
        if found is None:
            raise scene_not_found()
        return Watch(scene, found, scene.role)

    def changed_since(self, owner: str, scene_id: str, revision: int) -> Later:
        """What was changed after a revision, and the author of the latest."""
        return self._store.changed_since(owner, scene_id, revision)

    def look(self, watches: Iterable[Watch]) -> Mapping[Watch, News]:
        """News by watch, for watches with any."""
        asked = frozenset(watches)
        places = sorted({(watch.scene.owner, watch.scene.scene_id) for watch in asked})
        keys = sorted({watch.scene.caller.key_id for watch in asked if watch.scene.caller.key_id is not None})
        guests = {watch.scene for watch in asked if not watch.scene.is_own}
        grantees = [(scene.owner, scene.scene_id, scene.caller.grantee) for scene in guests]
        seen = self._store.watched_scenes(places, keys, grantees)
        news = {watch: self._news(watch, seen) for watch in asked}
        return {watch: told for watch, told in news.items() if told is not None}

    def _news(self, watch: Watch, seen: WatchedScenes) -> News | None:
        """The news of a watch, None without any. The end of a publication ends open watches as the end of a grant
        does: no listener continues on an old permission."""
        scene, key_id = watch.scene, watch.scene.caller.key_id
        state = seen.scenes.get((scene.owner, scene.scene_id))
        role = scene.role if scene.is_own else seen.roles.get((scene.owner, scene.scene_id, scene.caller.account_id))
        if key_id is not None and key_id not in seen.key_ids:
            return _over(watch, REVOKED)
        if state is None or role is None:
            return _over(watch, DELETED if state is None else WITHDRAWN)
        if watch.state.privacy == PUBLIC != state.privacy:
            return _over(watch, MADE_PRIVATE)
        if (state, role) == (watch.state, watch.role):
            return None
        later = Later()
        if state.revision != watch.state.revision:
            later = self._store.changed_since(scene.owner, scene.scene_id, watch.state.revision)
        comments: tuple[str, ...] = ()
        if state.comments_version != watch.state.comments_version:
            comments = self._store.changed_comments(scene.owner, scene.scene_id, watch.state.comments_version)
        return News(state=state, role=role, later=later, comments=comments)


def _over(watch: Watch, reason: str) -> News:
    return News(state=watch.state, role=watch.role, over=reason)
