"""What trials found: a line of JSON for each input, and the table of all kinds of failures.

A folder of results keeps `results.jsonl`, one line a trial, which a later run goes on from, and `smallest/`, for each
kind the smallest input that shows it.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from field_trials.files import Input
from field_trials.trial import Trial, general
from scenograph.wire.source_formats import SOURCE_FORMATS

Json = dict[str, Any]
RESULTS, SMALLEST = "results.jsonl", "smallest"
COLUMNS = ("refused", "5xx", "log", "sync", "silent", "other", "clean")


class Results:
    """The results in a folder, those of earlier runs as well."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file = folder / RESULTS
        self.rows: dict[str, Json] = {}
        if self._file.exists():
            for line in self._file.read_text("utf-8").splitlines():
                row = json.loads(line)
                self.rows[row["mark"]] = row

    def has(self, one: Input) -> bool:
        """Whether an input was tried already."""
        return one.mark in self.rows

    def add(self, one: Input, trial: Trial, seconds: float) -> Json:
        """Keep what a trial found."""
        found = [finding._asdict() for finding in trial.findings]
        row = {"mark": one.mark, "name": one.name, "form": one.form, "bytes": len(one.text.encode("utf-8", "replace"))}
        row |= {"seconds": round(seconds, 2), "figures": trial.figures, "findings": found}
        self.rows[one.mark] = row
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return row

    def smallest(self, form: str, kind: str) -> Path:
        """Where the smallest input of a kind is kept."""
        (self._folder / SMALLEST).mkdir(exist_ok=True)
        suffix = next(iter(SOURCE_FORMATS[form].suffixes), ".txt")
        return self._folder / SMALLEST / f"{form}-{re.sub(r'[^A-Za-z0-9]+', '-', kind).strip('-')[:80]}{suffix}"

    def of_kinds(self, *, is_fault: bool = True) -> Mapping[tuple[str, str], list[Json]]:
        """The rows by format and kind of failure, or of what is only noted, smallest input first."""
        found: dict[tuple[str, str], list[Json]] = defaultdict(list)
        for row in self.rows.values():
            kinds = (general(one["kind"]) for one in row["findings"] if one["is_fault"] == is_fault)
            for kind in dict.fromkeys(kinds):
                found[row["form"], kind].append(row)
        return {key: sorted(rows, key=lambda row: row["bytes"]) for key, rows in sorted(found.items())}

    def table(self) -> Iterable[str]:
        """The figures by format, then every kind of failure with how many inputs show it and the smallest of them."""
        yield f"{'format':9}{'files':>7}" + "".join(f"{name:>9}" for name in COLUMNS)
        for form in sorted({row["form"] for row in self.rows.values()}):
            mine = [row for row in self.rows.values() if row["form"] == form]
            counts = Counter(name for row in mine for name in _columns(row))
            yield f"{form:9}{len(mine):7}" + "".join(f"{counts[name]:9}" for name in COLUMNS)
        for is_fault, title in ((True, "Failures"), (False, "Noted, told or refused")):
            yield f"\n{title}:"
            for (form, kind), found in self.of_kinds(is_fault=is_fault).items():
                example = next(one for one in found[0]["findings"] if general(one["kind"]) == kind)
                kept = self.smallest(form, kind)
                where = f"smallest/{kept.name}" if kept.exists() else f"{found[0]['name']} ({found[0]['bytes']} bytes)"
                yield f"  {form:8} {len(found):4} x {kind}"
                yield f"           {where}: {example['detail'][:160]}"


def _columns(row: Json) -> set[str]:
    """The columns of the table that a trial counts in."""
    faults = {_column(one["kind"]) for one in row["findings"] if one["is_fault"]}
    return faults | ({"refused"} if "refused" in row["figures"] else set()) or {"clean"}


def _column(kind: str) -> str:
    """The column of the table that counts a kind of fault."""
    if re.search(r": 5\d\d|^connection", kind):
        return "5xx"
    if kind.startswith("log") or "PLACES_NOT_KEPT" in kind:
        return "log"
    if kind.startswith(("sync: not", "sync normalized: not")):
        return "sync"
    if "fewer" in kind or "missing" in kind:
        return "silent"
    return "other"
