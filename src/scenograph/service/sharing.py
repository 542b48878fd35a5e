"""Shared scenes: the check of every access to a scene, and the grants of its owner (R-PEOPLE-2, R-PEOPLE-4).

A role includes the roles before it. An owner's own scene needs no look at the grants; its owner's use cases tell of a
missing scene themselves. A grant names an account, or a mail address: such a grant reaches every account that has
verified the address, now or later, and its answers never tell whether one has.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scenograph.service.accounts import Caller, normalized
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, invalid_request, role_forbidden, scene_not_found
from scenograph.service.render_requests import read_value
from scenograph.service.scene_ids import is_possible, require_possible
from scenograph.storage.interface import Grant, Store, TooMany
from scenograph.wire.members import ROLE
from scenograph.wire.names import GRANTABLE_ROLES

OWNER = "owner"
ROLES = (*GRANTABLE_ROLES, OWNER)
MOST_GRANTS = 200  # of a scene
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
        for an unknown account, scene_not_found, quota_exceeded beyond MOST_GRANTS."""
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
        done = self._store.grant(caller.account_id, scene_id, wanted, MOST_GRANTS)
        if done is None:
            raise scene_not_found()
        if isinstance(done, TooMany):
            raise ServiceError(
                "quota_exceeded",
                f"The scene is shared with {done.used} others of {MOST_GRANTS} that it may be; end a grant first.",
                extra={"quota": "grants", "used": done.used, "limit": MOST_GRANTS},
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
