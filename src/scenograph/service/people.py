"""Scenes shared with people: the check of every access to a scene, grants, and comments in threads."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from scenograph.scene.difference import elements_by_id
from scenograph.scene.json_values import is_object
from scenograph.service.accounts import Caller, normalized
from scenograph.service.clock import Clock
from scenograph.service.errors import (
    ServiceError,
    invalid_request,
    is_possible,
    require_possible,
    role_forbidden,
    scene_not_found,
)
from scenograph.service.paging import ListPage, page_of, start_of
from scenograph.service.render_requests import read_member, read_required, read_value
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import (
    COMMENTER,
    EDITOR,
    Comment,
    CommentAnchor,
    Grant,
    NewComment,
    PageStart,
    RoleLacking,
    Store,
    ThreadFilter,
    TooMany,
)
from scenograph.wire.members import COMMENT_TEXT, COMMENTED_ELEMENT, COMMENTED_REVISION, RESOLVED, ROLE
from scenograph.wire.names import COMMENT_COORDINATE, GRANTABLE_ROLES

# Shared scenes: the check of every access to a scene, and the grants of its owner (R-PEOPLE-2, R-PEOPLE-4).
#
# A role includes the roles before it. An owner's own scene needs no look at the grants; its owner's use cases tell of a
# missing scene themselves. A grant names an account, or a mail address: such a grant reaches every account that has
# verified the address, now or later, and its answers never tell whether one has.

OWNER = "owner"
ROLES = (*GRANTABLE_ROLES, OWNER)
_MOST_GRANTS = 200  # of a scene
_POSSIBLE_ACCOUNT = re.compile(r"[A-Za-z0-9_-]{1,128}")


def includes(role: str, needed: str) -> bool:
    """Whether a role includes another."""
    return ROLES.index(role) >= ROLES.index(needed)


class SceneAccess(NamedTuple):
    """A caller's permitted access to the scene `scene_id` of `owner`."""

    caller: Caller
    owner: str
    scene_id: str
    role: str

    @property
    def is_own(self) -> bool:
        """Whether the caller owns the scene."""
        return self.owner == self.caller.account_id


class Sharing:
    """Access to scenes, and grants."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def access(self, caller: Caller, owner: str | None, scene_id: str, needed: str) -> SceneAccess:
        """The caller's access to a scene of `owner` (None: the caller). Raises scene_not_found without a grant, alike
        for missing scenes, deleted ones and unknown owners; role_forbidden when the role does not include `needed`."""
        if owner is None or owner == caller.account_id:
            return SceneAccess(caller, caller.account_id, scene_id, OWNER)
        is_nameable = _POSSIBLE_ACCOUNT.fullmatch(owner) and is_possible(scene_id)
        role = self._store.role_on(owner, scene_id, caller.grantee) if is_nameable else None
        if role is None:
            raise scene_not_found()
        if not includes(role, needed):
            raise role_forbidden(role, needed)
        return SceneAccess(caller, owner, scene_id, role)

    def require_still(self, access: SceneAccess, needed: str) -> None:
        """Raises as `access` if the access has ended meanwhile."""
        self.access(access.caller, access.owner, access.scene_id, needed)

    def grants(self, owner: str, scene_id: str) -> tuple[Grant, ...]:
        """The grants of a scene, the earliest first. scene_not_found."""
        require_possible(scene_id)
        found = self._store.grants(owner, scene_id)
        if found is None:
            raise scene_not_found()
        return found

    def grant(self, caller: Caller, scene_id: str, grantee: str, role: object) -> Grant:
        """Give a role on the caller's scene, in place of the grantee's earlier one. Raises invalid_request, not_found
        for an unknown account, scene_not_found, quota_exceeded beyond _MOST_GRANTS."""
        wanted_role = read_value(ROLE.name, ROLE.schema, role)
        require_possible(scene_id)
        name = _named(grantee)
        if name in caller.grantee.names:
            raise invalid_request("The owner of a scene has every role on it already.")
        if self._store.current_revision(caller.account_id, scene_id) is None:
            raise scene_not_found()
        if "@" not in name and self._store.account(name) is None:
            raise ServiceError("not_found", "There is no such account; a mail address can be granted a role as well.")
        wanted = Grant(grantee=name, role=wanted_role, granted_at=self._clock())
        done = self._store.grant(caller.account_id, scene_id, wanted, _MOST_GRANTS)
        if done is None:
            raise scene_not_found()
        if isinstance(done, TooMany):
            raise ServiceError(
                "quota_exceeded",
                f"The scene is shared with {done.used} others of {_MOST_GRANTS} that it may be; end a grant first.",
                extra={"quota": "grants", "used": done.used, "limit": _MOST_GRANTS},
            )
        return done

    def end(self, owner: str, scene_id: str, grantee: str) -> tuple[str, tuple[Grant, ...]]:
        """End a grant at once; the grantee's name, and the grants that remain: another may reach the same person.
        Raises invalid_request, scene_not_found, not_found."""
        require_possible(scene_id)
        name = _named(grantee)
        done = self._store.end_grants(owner, scene_id, [name])
        if done is None:
            raise scene_not_found()
        if not done:
            raise ServiceError("not_found", "The scene is not shared with this account or address.")
        return name, self.grants(owner, scene_id)

    def leave(self, access: SceneAccess) -> None:
        """End all grants of a shared scene that reach the caller. Raises invalid_request for an own scene,
        scene_not_found."""
        if access.is_own:
            self.grants(access.owner, access.scene_id)
            raise invalid_request("The owner of a scene cannot leave it; name whose grant ends, or delete the scene.")
        if not self._store.end_grants(access.owner, access.scene_id, access.caller.grantee.names):
            raise scene_not_found()


def _named(grantee: str) -> str:
    """A grantee's stored name. Raises invalid_request."""
    if "@" in grantee:
        return normalized(grantee)
    if not _POSSIBLE_ACCOUNT.fullmatch(grantee):
        raise invalid_request("A grant names an account's id or a mail address such as ann@example.org.")
    return grantee


# Comments on scenes, in threads (R-PEOPLE-8, R-PEOPLE-9).
#
# They stand beside the document, never in it: no export, published page or submission holds one. The store checks the
# writer's role in the transaction of each write.

ID_BYTES = 12
MOST_COMMENTS = 2_000  # of a scene
COMMENTING = frozenset({COMMENTER, EDITOR})
_POSSIBLE_ID = re.compile(r"cmt_[0-9a-f]{24}")


class Commenting:
    """The comments of all scenes; `scenes` tells which elements a revision has."""

    def __init__(self, store: Store, scenes: Scenes, clock: Clock) -> None:
        self._store = store
        self._scenes = scenes
        self._clock = clock

    def threads(
        self, scene: SceneAccess, limit: int, after: str | None, wanted: ThreadFilter
    ) -> ListPage[tuple[Comment, ...]]:
        """A page of the scene's wanted threads. Raises scene_not_found, invalid_request for an unknown cursor."""
        found = self._store.threads(scene.owner, scene.scene_id, limit + 1, start_of(after), wanted)
        if found is None:
            raise scene_not_found()
        return page_of(found, limit, lambda thread: PageStart(at=thread[0].created_at, id=thread[0].id))

    def add(self, scene: SceneAccess, body: Mapping[str, Any]) -> Comment:
        """Begin a thread on an element, a place or the scene, at a revision. Raises invalid_request, scene_not_found,
        revision_not_found, role_forbidden, quota_exceeded."""
        text, wanted = _text(body), read_member(body, COMMENTED_REVISION)
        anchor = _anchor(body)
        read = self._scenes.read(scene.owner, scene.scene_id, wanted)
        if anchor.element_id is not None and anchor.element_id not in elements_by_id(read.document):
            raise invalid_request("elementId names no element of the revision.")
        return self._written(scene, NewComment(**_of(scene), text=text, revision=read.revision, anchor=anchor))

    def reply(self, scene: SceneAccess, thread: str, body: Mapping[str, Any]) -> Comment:
        """Add to a thread. Raises as `add`, and not_found for an unknown thread."""
        new = NewComment(**_of(scene), text=_text(body), thread=thread)
        if not _POSSIBLE_ID.fullmatch(thread):
            raise _no_such_comment()
        return self._written(scene, new)

    def resolve(self, scene: SceneAccess, thread: str, body: Mapping[str, Any]) -> Comment:
        """Resolve a thread or open it again; its first comment. Raises invalid_request, not_found, scene_not_found,
        role_forbidden."""
        at = self._clock() if read_required(body, RESOLVED) else None
        if not _POSSIBLE_ID.fullmatch(thread):
            raise _no_such_comment()
        by = scene.caller.grantee
        done = self._store.resolve_thread(scene.owner, scene.scene_id, thread, by, roles=COMMENTING, at=at)
        return _required(done)

    def delete(self, scene: SceneAccess, comment_id: str) -> None:
        """Delete a comment of the caller's or, for the owner, anybody's. Raises not_found, scene_not_found,
        role_forbidden."""
        if not _POSSIBLE_ID.fullmatch(comment_id):
            raise _no_such_comment()
        by = scene.caller.grantee
        done = self._store.delete_comment(scene.owner, scene.scene_id, comment_id, by, self._clock())
        if isinstance(done, RoleLacking):
            sentence = "A comment is deleted by its author or the scene's owner."
            raise ServiceError("role_forbidden", sentence, extra={"role": done.role})
        if done is None:
            raise scene_not_found()
        if not done:
            raise _no_such_comment()

    def _written(self, scene: SceneAccess, new: NewComment) -> Comment:
        now = self._clock()
        done = self._store.add_comment(scene.owner, scene.scene_id, new, now, roles=COMMENTING, most=MOST_COMMENTS)
        if isinstance(done, TooMany):
            sentence = f"The scene has {done.used} comments of {MOST_COMMENTS} that it may have; delete some first."
            extra = {"quota": "comments", "used": done.used, "limit": MOST_COMMENTS}
            raise ServiceError("quota_exceeded", sentence, extra=extra)
        return _required(done)


def _required(done: Comment | RoleLacking | Literal[False] | None) -> Comment:
    if isinstance(done, Comment):
        return done
    if isinstance(done, RoleLacking):
        raise role_forbidden(done.role, COMMENTER)
    raise scene_not_found() if done is None else _no_such_comment()


def _of(scene: SceneAccess) -> dict[str, Any]:
    name = f"cmt_{secrets.token_hex(ID_BYTES)}"
    return {"id": name, "author": scene.caller.author, "by": scene.caller.grantee}


def _text(body: Mapping[str, Any]) -> str:
    """The text without blanks around it. A text without a visible character would be an empty comment."""
    said = body.get(COMMENT_TEXT.name)
    if isinstance(said, str):
        said = said.strip() if any(unicodedata.category(letter)[0] not in "CZ" for letter in said) else ""
    return read_required({COMMENT_TEXT.name: said}, COMMENT_TEXT)


def _anchor(body: Mapping[str, Any]) -> CommentAnchor:
    element, at = read_member(body, COMMENTED_ELEMENT), body.get("at")
    if at is None:
        return CommentAnchor(element_id=element)
    if element is not None:
        raise invalid_request("A comment stands on an element (elementId) or at a place (at), not on both.")
    x, y = read_place(at)
    return CommentAnchor(x=x, y=y)


def read_place(at: object) -> tuple[float, float]:
    """A place in a scene, px. Raises invalid_request."""
    x, y = map(_coordinate, (at.get("x"), at.get("y"))) if is_object(at) and at.keys() == {"x", "y"} else (None, None)
    if x is None or y is None:
        raise invalid_request(
            f"at must be an object with the numbers x and y, within ±{COMMENT_COORDINATE} px of the origin."
        )
    return x, y


def _coordinate(value: object) -> float | None:
    """A number within the bounds; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > COMMENT_COORDINATE:
        return None
    return float(value)


def _no_such_comment() -> ServiceError:
    return ServiceError("not_found", "There is no such comment on the scene.")
