"""A process that stays: reads `svg|png PATH` a line, draws that scene, and answers with the CPU time of it, ms.

Used by peers.py; the first drawing of a process, which imports and fills caches, is the caller's to leave out. Each
time all ids are new, so that nothing is kept from the time before: it is another scene of the same shape.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from graphs import renamed
from scenograph.engine.pipeline import render


def main() -> None:
    """Answer every line."""
    for turn, line in zip(count(), sys.stdin):
        output, _, path = line.strip().partition(" ")
        document = renamed(json.loads(Path(path).read_text("utf-8")), f"-{turn:03}")
        begin = time.process_time()
        render(document, output)
        print(f"{(time.process_time() - begin) * 1000:.3f}", flush=True)


if __name__ == "__main__":
    main()
