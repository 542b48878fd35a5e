#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Tries a folder of other tools' files on a service of its own, and tells what goes wrong.

    uv run scripts/run_field_trials.py FOLDER --out RESULTS [--only drawio] [--count 100] [--largest 20000]

Each file (draw.io, BPMN, SQL, Mermaid, Mermaid blocks of Markdown) is imported, drawn in two themes, followed without a
change, edited by a seeded series of what people do, restored, exported to every format and read back, and followed with
a change. No call may end in a 5xx or be cut off, nothing may be lost in silence, nothing may change that nobody
changed.
What was tried before is not tried again while RESULTS has it. Prints the kinds of failures with the smallest input of
each, and ends with 1 when there is any.
"""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cyclopts import App
from field_trials.files import Input, inputs
from field_trials.parts import smallest
from field_trials.results import RESULTS, Results
from field_trials.trial import STEPS, Finding, Trial, general
from local_servers.calling import Caller
from local_servers.service import Service, running_services

SETTINGS = {
    "RENDER_WORKERS": "2",
    "RENDER_TIMEOUT_SECONDS": "60",
    "RENDER_QUEUE_SECONDS": "60",
    "RENDERS_AT_ONCE": "4",
    "ENGINE_SECONDS": "0",
    "PICTURE_CACHE_MB": "0",  # a second drawing is one
    "MAX_BODY_BYTES": str(64 << 20),
}
STEPS_BY_KIND = {
    "import changed": ("follow",),
    "import": ("import",),
    "draw after": ("edit",),
    "draw difference": ("edit",),
    "draw": ("draw",),
    "sync changed": ("follow",),
    "sync normalized": ("normalized",),
    "create normalized": ("normalized",),
    "normalize": ("normalized",),
    "sync": ("sync",),
    "edit": ("edit",),
    "restore": ("edit",),
    "diff": ("edit",),
    "export": ("export",),
    "read back": ("export",),
}
TERMINATED = 128 + signal.SIGTERM
LARGEST = 60_000  # bytes of an input that is made smaller

app = App(name="run_field_trials", help=__doc__)


class Wishes(NamedTuple):
    """What is tried: one format alone, so many inputs, none of more bytes than `largest`, chance's `seed`, so many
    edits of each; whether the smallest inputs are made smaller, and whether what was tried before is forgotten."""

    only: str | None = None
    count: int | None = None
    seed: int = 1
    edits: int = 8
    shrink: bool = True
    anew: bool = False
    largest: int | None = None


class Bench:
    """A running service with what is tried on it."""

    def __init__(self, service: Service, caller: Caller, wishes: Wishes) -> None:
        self._log, self._read = service.log, 0
        self._caller = caller
        self._wishes = wishes

    def tried(self, one: Input, steps: Sequence[str] = STEPS) -> Trial:
        """A finished trial; what the log says of faults is among its findings."""
        trial = Trial(self._caller, one, self._wishes.seed, self._wishes.edits, steps)
        trial.run()
        trial.findings += self._news()
        return trial

    def _news(self) -> Iterator[Finding]:
        """Warnings and errors in the log since the last look."""
        with self._log.open() as file:
            file.seek(self._read)
            lines = file.read()
            self._read = file.tell()
        for line in lines.splitlines():
            row = json.loads(line) if line.startswith("{") else {"event": line}
            what = row.get("reason") or row.get("fault") or row.get("exception") or ""
            yield Finding(f"log: {row.get('event')} {str(what)[:160]}", line)

    def shrink(self, known: Mapping[str, Input], results: Results) -> None:
        """For each kind of fault the smallest input that shows it, made smaller."""
        for (form, kind), rows in results.of_kinds().items():
            one, path = known.get(rows[0]["mark"]), results.smallest(form, kind)
            if one is not None and not path.exists() and len(one.text) <= LARGEST:
                path.write_text(smallest(form, one.text, partial(self._shows, one, kind)), "utf-8")

    def _shows(self, one: Input, kind: str, text: str) -> bool:
        """Whether another text in the place of an input shows a kind of fault."""
        trial = self.tried(one._replace(text=text), _steps_for(kind))
        return any(general(finding.kind) == kind for finding in trial.findings)


@app.default
def main(  # noqa: PLR0913 (the options of a command)
    folder: Path,
    *,
    out: Path,
    only: str | None = None,
    count: int | None = None,
    seed: int = 1,
    edits: int = 8,
    shrink: bool = True,
    anew: bool = False,
    largest: int | None = None,
) -> None:
    """Try every file below FOLDER and keep what was found in OUT."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # which ends the service as well
    sys.exit(1 if run(folder, out, Wishes(only, count, seed, edits, shrink, anew, largest)) else 0)


def run(folder: Path, out: Path, wishes: Wishes) -> int:
    """How many inputs show a fault."""
    if wishes.anew:
        (out / RESULTS).unlink(missing_ok=True)
    results = Results(out)
    wanted = (one for one in inputs(folder) if wishes.only in (None, one.form))
    known = {one.mark: one for one in wanted if wishes.largest is None or len(one.text) <= wishes.largest}
    # By their marks: the first so many of a large folder are from everywhere in it.
    waiting = islice((known[mark] for mark in sorted(known) if not results.has(known[mark])), wishes.count)
    with tempfile.TemporaryDirectory(prefix="scenograph-field-") as name:
        work = Path(name)
        database = f"sqlite:///{work / 'scenes.db'}"
        with (
            running_services(1, work, DATABASE_URL=database, **SETTINGS) as (service,),
            Caller(service.url) as caller,
        ):
            bench = Bench(service, caller, wishes)
            for one in waiting:
                began = time.monotonic()
                row = results.add(one, bench.tried(one), time.monotonic() - began)
                faults = [finding["kind"] for finding in row["findings"] if finding["is_fault"]]
                print(f"{one.form:8} {row['seconds']:6.1f} s {one.name}: {'; '.join(faults) or 'ok'}", flush=True)
            if wishes.shrink:
                bench.shrink(known, results)
    print("\n".join(results.table()))
    return sum(any(one["is_fault"] for one in row["findings"]) for row in results.rows.values())


def _steps_for(kind: str) -> Sequence[str]:
    """The steps that a kind of fault needs to show itself."""
    step = kind.partition(":")[0]
    return next((steps for start, steps in STEPS_BY_KIND.items() if step.startswith(start)), STEPS)


if __name__ == "__main__":
    app()
