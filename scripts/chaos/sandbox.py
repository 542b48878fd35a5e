"""What a process that draws asks of the system: once it is warm, it opens no file and no socket and starts nothing,
whatever a scene names.

Python's own calls are told by its audit hook; those of native code (the rasterizer) by `strace`, where it is installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from chaos.scenes import require

MARK = "-- warm --"
WATCHED = ("open", "os.", "socket.", "subprocess.", "ctypes.", "shutil.", "urllib.", "import")
HARMLESS = ("os.getrandom", "os.urandom")
SYSTEM_CALLS = "open,openat,openat2,creat,socket,connect,execve,unlink,rename,mkdir"
PLACE, LINK = "file:///etc/hostname", "http://127.0.0.1:9/x.png"  # a file that there is, and a closed port
PLAIN = "plain"
SCENES = Path(__file__).parents[2] / "tests" / "scenes"


class Found(NamedTuple):
    """How many pictures were drawn of how many scenes, and by whom it was watched."""

    pictures: int
    scenes: int
    watched_by: tuple[str, ...]


def hostile(place: str = PLACE, link: str = LINK) -> dict[str, Any]:
    """A scene that names a file and an address wherever it may name something."""
    words = (place, link, f'<image href="{place}"/>', f"url({place})", f"@import '{link}'", f"../../..{place}")
    nodes = [
        {
            "id": f"n{at}",
            "kind": "node",
            "label": word,
            "icon": word,
            "tooltip": word,
            "link": link,
            "style": {"fontFamily": word, "fill": word},
            "metadata": {"href": word},
        }
        for at, word in enumerate(words)
    ]
    image = {"id": "i", "kind": "image", "src": place, "href": link, "assetId": place}
    assets = {place: {"mimeType": "image/png", "data": place}}
    scene = {"id": "hostile", "title": place, "units": "px", "canvas": {"background": f"url({place})"}}
    return {"schemaVersion": "0.1", "scene": scene, "elements": [*nodes, image], "assets": assets}


def watch(files: Sequence[Path] = ()) -> Found:
    """Draw the scenes of these files, by default our own, and the hostile one, in every format. Broken with the first
    thing that the process asked for."""
    chosen = [str(file) for file in files or sorted(SCENES.glob("*.json"))]
    strace = shutil.which("strace")
    before = [strace, "-f", "-qq", "-e", f"trace=write,{SYSTEM_CALLS}", "-s", "200"] if strace else []
    command = [*before, sys.executable, "-m", "chaos.sandbox", *chosen]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"drawing came to nothing: {done.stderr[-800:]}")
    told = json.loads(done.stdout.splitlines()[-1])
    require(not told["asked"], f"drawing asked for {told['asked'][:3]}")
    asked = list(_system_calls(done.stderr)) if strace else []
    require(not asked, f"drawing asked the system for {asked[:3]}")
    return Found(told["pictures"], len(chosen) + 1, ("audit hook", "strace") if strace else ("audit hook",))


def _system_calls(traced: str) -> Iterator[str]:
    """Those between the marks but writing, which is how a mark is made."""
    parts = re.split(rf'.*write\(2, "{MARK}.*', traced)
    require(len(parts) == 3, "strace did not see the marks")
    for line in parts[1].splitlines():
        if re.search(rf"\b(?:{SYSTEM_CALLS.replace(',', '|')})\(", line):
            yield line


def _draw(files: Sequence[str]) -> None:
    """In a process of its own: everything once to be warm, then again under watch. What the hostile scene names it has
    not met before."""
    from scenograph.engine import pipeline  # noqa: PLC0415 - the parent draws nothing
    from scenograph.wire.formats import FORMATS  # noqa: PLC0415

    documents = [json.loads(Path(name).read_text("utf-8")) for name in files]
    asked: list[str] = []
    is_watched = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_watched and event.startswith(WATCHED) and event not in HARMLESS:
            asked.append(f"{event}{arguments!r}"[:200])

    def all_pictures(scenes: Sequence[dict[str, Any]]) -> int:
        return sum(1 for scene in scenes for name in FORMATS if pipeline.render(scene, name))

    all_pictures([*documents, hostile(PLAIN, "http://localhost/")])
    sys.addaudithook(hook)
    os.write(2, MARK.encode())
    is_watched = True
    pictures = all_pictures([*documents, hostile()])
    is_watched = False
    os.write(2, MARK.encode())
    print(json.dumps({"pictures": pictures, "asked": asked}))


if __name__ == "__main__":
    _draw(sys.argv[1:])
