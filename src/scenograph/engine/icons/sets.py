"""The icon sets: one row each, in the order in which an unknown prefix asks them.

`vendor` are beginnings a name may carry or lack (`aws:amazon-s3`, `aws:s3`), longest first, written without hyphens.
`aliases` are names in daily use for names in the set; they are matched without hyphens too.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.icons import aliases
from scenograph.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IconSet:
    """One row of SETS. `recolorable`: its owner lets the colours change; `also`: other prefixes that mean it;
    `spoken`: words at the beginning of a search that do, longest first."""

    prefix: str
    recolorable: bool = False
    vendor: tuple[str, ...] = ()
    aliases: Mapping[str, str]
    also: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()


SETS: tuple[IconSet, ...] = (
    IconSet(prefix="lucide", recolorable=True, aliases=aliases.LUCIDE),
    IconSet(
        prefix="simple",
        recolorable=True,
        vendor=("apache", "eclipse"),
        aliases=aliases.SIMPLE,
        also=("simple-icons", "si", "logos", "logo", "brand", "devicon"),
    ),
    IconSet(
        prefix="aws",
        vendor=("resamazon", "resaws", "amazon", "aws", "res"),
        aliases=aliases.AWS,
        spoken=("amazon web services", "aws"),
    ),
    IconSet(
        prefix="gcp",
        vendor=("googlecloud", "google", "cloud", "gcp"),
        aliases=aliases.GCP,
        spoken=("google cloud platform", "google cloud", "gcp"),
    ),
    IconSet(
        prefix="azure",
        vendor=("microsoftazure", "microsoft", "azure"),
        aliases=aliases.AZURE,
        spoken=("microsoft azure", "azure"),
    ),
    IconSet(prefix="k8s", vendor=("kubernetes", "kube", "k8s"), aliases=aliases.K8S, also=("kubernetes",)),
)
