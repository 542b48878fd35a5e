"""A process that stays: reads `svg|png PATH` a line, draws that scene, and answers with the CPU time of it, ms.

Used by peers.py; the first drawing of a process, which imports and fills caches, is the caller's to leave out.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from scenograph.engine.pipeline import render


def main() -> None:
    """Answer every line."""
    for line in sys.stdin:
        output, _, path = line.strip().partition(" ")
        document = json.loads(Path(path).read_text("utf-8"))
        begin = time.process_time()
        render(document, output)
        print(f"{(time.process_time() - begin) * 1000:.3f}", flush=True)


if __name__ == "__main__":
    main()
