"""What a document costs, from validation to PNG: each in a process of its own, whose processor time is bounded."""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from scenograph.engine import pipeline
from scenograph.scene.validation import validate
from scenograph.wire.formats import PNG, SVG
from worst.parts import Json

SCRIPT = Path(__file__).parents[1] / "worst_documents.py"
KIB = 1024
TARGETS = ((100 * KIB, 2.0), (500 * KIB, 5.0))
LARGEST = 10.0
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Cost:
    """Size in bytes of JSON; seconds of processor time to the SVG, and from there to the PNG; remarks with how many of
    each; `ended` where the process was stopped at the bound or refused the picture."""

    size: int
    svg: float
    png: float
    remarks: str
    ended: str = ""

    @property
    def allowed(self) -> float:
        """The seconds within which a picture of this size has to be there."""
        return next((seconds for size, seconds in TARGETS if self.size < size), LARGEST)

    @property
    def is_fair(self) -> bool:
        """Whether it came within that time, or was refused before any work."""
        return self.ended.startswith(REFUSED) or (not self.ended and self.svg <= self.allowed)


def size_of(document: Json) -> int:
    """Bytes of its shortest JSON."""
    return len(json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())


def cost_here(document: Json, *, png: bool) -> Cost:
    """The cost in this process, with all modules and fonts warm, the garbage left for later as engine processes do."""
    gc.collect()
    gc.freeze()
    gc.disable()
    faults = [row for row in validate(document) if row.severity == "error"]
    if faults:
        return Cost(size_of(document), 0.0, 0.0, "", f"{REFUSED}: {faults[0].code} {faults[0].message}")
    began = time.process_time()
    picture = pipeline.render(document, SVG.name)
    drawn = time.process_time()
    refused = ""
    if png:
        try:
            pipeline.render(document, PNG.name)
        except pipeline.RasterTooLarge as fault:
            refused = f"{fault}"
    encoded = max(0.0, time.process_time() - drawn - (drawn - began)) if png else 0.0
    remarks = Counter(row.code for row in picture.diagnostics)
    listed = ", ".join(f"{name} x {number}" for name, number in sorted(remarks.items()))
    return Cost(size_of(document), drawn - began, encoded, listed + refused)


def cost_of(name: str, document: Json, *, seconds: int, png: bool) -> Cost:
    """The cost in a process that is ended after so many seconds of processor time."""
    done = subprocess.run(  # noqa: S603 (this script itself)
        [sys.executable, str(SCRIPT), "one", name, *(["--png"] if png else [])],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
    )
    if done.returncode == 0:
        return Cost(**json.loads(done.stdout))
    words = done.stderr.strip().splitlines()
    ended = f"over {seconds} s" if done.returncode < 0 else (words[-1] if words else "ended")
    return Cost(size_of(document), float(seconds), 0.0, "", ended)
