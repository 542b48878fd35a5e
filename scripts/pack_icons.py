#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Makes the icon packs of the engine from source folders.

    uv run --with skia-pathops scripts/pack_icons.py lucide=<folder>/lucide/data/lucide-icons.db \
        aws=<folder> azure=<folder> gcp=<folder> k8s=<folder> simple=<folder>

The sources are the Python package python-lucide (unpacked: its database file), the npm package @thesvg/icons (unpacked;
the same folder for aws, azure, gcp and k8s) and the npm package simple-icons (unpacked). Any subset may be given. Each
pack is written to `src/scenograph/engine/icons/packs/`; what could not be converted is printed with the reason, and the
icons of a set under another licence than most of it are listed in `LICENSES-<set>.txt` beside it. The same sources give
the same bytes.

Afterwards compare with `scripts/compare_icons.py` and bring `packs/NOTICE.md` up to date.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scenograph.late_dataclasses import replace

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "scripts")]

from icon_packing.clipping import cut  # noqa: E402
from icon_packing.merging import merged  # noqa: E402
from icon_packing.paints import read_color  # noqa: E402
from icon_packing.sources import SOURCES, Source  # noqa: E402
from icon_packing.svg_reading import read_svg  # noqa: E402

from scenograph.engine.icons.registry import PackEntry, write_pack  # noqa: E402

PACKS = ROOT / "src" / "scenograph" / "engine" / "icons" / "packs"


def convert(source: Source) -> PackEntry:
    """An icon file as a pack entry; ValueError or KeyError when it cannot be said in layers."""
    sheet = read_svg(source.svg)
    layers = merged(cut(sheet))
    if source.color:
        layers = tuple(replace(layer, fill=read_color(source.color)) for layer in layers)
    if not layers:
        raise ValueError("nothing to see")
    return PackEntry(source.name, source.category, source.words, sheet.view_box, layers)


def pack(name: str, folder: Path) -> None:
    """Write one set's pack and its list of licences."""
    entries: list[PackEntry] = []
    sources = list(SOURCES[name](folder))
    for source in sources:
        try:
            entries.append(convert(source))
        except (ValueError, KeyError) as error:
            print(f"left out {name}:{source.name}: {error}")
    packed = {entry.name for entry in entries}
    sources = [source for source in sources if source.name in packed]
    aliases = {alias: source.name for source in reversed(sources) for alias in source.aliases if alias not in packed}
    size = write_pack(PACKS / f"{name}.icons", entries, aliases)
    usual = Counter(source.licence for source in sources).most_common(1)[0][0]
    licences = [f"{source.name}: {source.licence}\n" for source in sources if source.licence != usual]
    if licences:
        (PACKS / f"LICENSES-{name}.txt").write_text("".join(licences), "utf-8")
    print(f"{name}: {len(entries)} icons, {size:,} bytes")


def main(arguments: Sequence[str]) -> int:
    """Pack every `set=folder` given."""
    given = [argument.partition("=")[::2] for argument in arguments]
    if not given or any(name not in SOURCES or not folder for name, folder in given):
        print(__doc__)
        return 2
    PACKS.mkdir(exist_ok=True)
    for name, folder in given:
        pack(name, Path(folder))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
