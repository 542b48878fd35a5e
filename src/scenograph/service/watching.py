"""Watching scenes for edits: repeated questions of a server with listeners to the store. A single query serves all
listeners of a server, and its cost does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import Caller
from scenograph.service.errors import scene_not_found
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import PUBLIC, Store

REVOKED, DELETED, MADE_PRIVATE = "revoked", "deleted", "made_private"


class Watch(NamedTuple):
    """A watcher, its scene, and the last known revision and privacy."""

    owner: str
    key_id: str | None
    scene_id: str
    revision: int
    privacy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """News of a watched scene: sorted ids of elements changed up to `revision`, or why the watch ended."""

    revision: int
    privacy: str
    changed_ids: tuple[str, ...] = ()
    over: str | None = None


class Watching:
    """Looks for news of watched scenes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, caller: Caller, scene_id: str) -> Watch:
        """A watch from the scene's present state on; scene_not_found."""
        require_possible(scene_id)
        place = caller.account_id, scene_id
        found = self._store.watched_scenes([place], []).scenes.get(place)
        if found is None:
            raise scene_not_found()
        revision, privacy = found
        return Watch(caller.account_id, caller.key_id, scene_id, revision, privacy)

    def changed_since(self, owner: str, scene_id: str, revision: int) -> tuple[str, ...]:
        """Sorted ids of elements changed after a revision."""
        return self._store.changed_since(owner, scene_id, revision)

    def look(self, watches: Iterable[Watch]) -> Mapping[Watch, News]:
        """News by watch, for watches with any."""
        asked = frozenset(watches)
        places = sorted({(watch.owner, watch.scene_id) for watch in asked})
        keys = sorted({watch.key_id for watch in asked if watch.key_id is not None})
        seen = self._store.watched_scenes(places, keys)
        news: dict[Watch, News] = {}
        for watch in asked:
            found = seen.scenes.get((watch.owner, watch.scene_id))
            if watch.key_id is not None and watch.key_id not in seen.key_ids:
                news[watch] = _over(watch, REVOKED)
            elif found is None:
                news[watch] = _over(watch, DELETED)
            elif found != (watch.revision, watch.privacy):
                news[watch] = self._news(watch, *found)
        return news

    def _news(self, watch: Watch, revision: int, privacy: str) -> News:
        """The end of a publication ends open watches: no listener continues on an old permission.

        ≈E-mail addresses as they are kept≈ E-mail addresses in stored form: a single form for all spellings of an
        address. Accepted is the HTML Living Standard's "valid e-mail address", with a dot in the domain and within the
        lengths of RFC 5321; none can end a header line. Domains beyond ASCII become their IDNA form. ≈scenes a step, so
        that nobody≈ scenes a step: nobody waits long behind a deletion ≈Computes the places of new revisions in the
        background≈ Computes the places of new revisions in the background, after the commit (R-KEEP-4). This only saves
        the next reader the wait: missing places are computed by whoever needs them. A scene under edit is left alone
        until at rest, which leaves the processors to its writers. ≈that wait; beyond it the one≈ waiting scenes;
        further ones are left to their readers ≈A picture that was asked for: what is known≈ A requested picture, known
        as far as possible without the engine (R-CACHE-1). Access is checked and all input is read: the picture can be
        looked up in the cache by its key, or drawn in a turn. ≈The refusals that several use cases share≈ Refusals
        shared by several use cases: a function each, which gives every code a single sentence. ≈The mails that are
        sent: plain text≈ The mails: plain text, a single link, nothing of the service that the reader does not need.
        ≈KEEPNOTHING≈ x ≈The newest deletion that counts may≈ The newest counted deletion may be a moment old: all are
        available again after a whole window, at most. ≈in a row, before a revision counts as one≈ in a row, before a
        revision counts as impossible to lay out: a worker may be lost by no fault of the scene ≈of what is spent, the
        least that is counted≈ parts of a token: the unit of spending ≈a bucket out of which anything≈ a bucket that
        never runs empty ≈in memory; beyond it the one≈ in memory; beyond, the least recently seen begins anew ≈What an
        address counts as, alone≈ The subject of an address, alone (R-RATE-2) and as a network (R-FAIR-2). An IPv6
        subscriber commonly holds a /56: a longer prefix would count a single caller as many. ≈Buckets in Redis, for
        servers that share≈ Buckets in Redis, for servers that share limits. While Redis does not answer, each server
        counts for itself: a lost counter loosens the limit to a share for each server, and neither stops nor opens the
        service. The same holds for a bucket with an impossible state: a foreign program wrote it. ≈by which a bucket
        may be beyond≈ the largest debt of a bucket: more than all calls running at once ≈Finished pictures in Redis,
        for servers≈ Finished pictures in Redis, for servers that share them (R-CACHE-5). Entries count as untrusted:
        each begins with an HMAC over key and bytes, by a secret of the servers of a database; an entry without a valid
        code is a miss. While Redis does not answer, each server keeps its own pictures, and a miss is drawn. ≈Never
        more than the largest that would≈ Never more than the largest entry of `put` ≈of one picture: larger ones would≈
        of a picture: a larger entry would delay other calls ≈a stranger's answer may break≈ a foreign answer may break
        the client's parser anywhere ≈Written by clients that send the same body≈ Members of clients that send the same
        body everywhere; ignored here. ≈else nobody learns that others wrote there≈ the refusal would reveal foreign
        sign-ups ≈as often as an edit may come≈ edits tolerated between reading a scene and submitting it ≈one more
        tells whether this is all≈ one more row tells of a next page
        """
        if watch.privacy == PUBLIC != privacy:
            return _over(watch, MADE_PRIVATE)
        changed = self._store.changed_since(watch.owner, watch.scene_id, watch.revision)
        return News(revision=revision, privacy=privacy, changed_ids=changed)


def _over(watch: Watch, reason: str) -> News:
    return News(revision=watch.revision, privacy=watch.privacy, over=reason)
