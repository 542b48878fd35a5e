# ruff: noqa: T201, INP001 (it reports to whoever runs it)
"""Sends invented requests to a running service and holds every reply against the published description.

    uv run python scripts/fuzz_http.py --seconds 900

A service of its own is started on the loopback interface, with an empty database and without rate limits. The key is a
supporter's, which opens every route. The checks of schemathesis run: no 5xx, no status, media type, header or body that
the description does not name, no key that is ignored, no wrong value that is taken. Ends with 0 when there is no
finding and the log speaks of no fault.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from cyclopts import App
from local_servers.service import running_services

KEY = "dsp_sk_" + "f" * 32
SETTINGS = {
    "BOOTSTRAP_SUPPORT_KEY": KEY,
    "SIGNUP_ENABLED": "true",
    "SIGNUPS_PER_HOUR": "0",
    "RENDER_WORKERS": "2",
    "RENDERS_AT_ONCE": "8",
}
# A description cannot say which ids exist, which addresses have a dot, which references lead somewhere.
UNSAYABLE = "positive_data_acceptance"
FAULTS = ("unexpected_fault", '"level": "error"')

app = App(name="fuzz_http.py", help=__doc__)


@app.default
def fuzz(*, seconds: int = 900, seed: int = 1) -> None:
    """Start a service, send requests for so long, look into its log."""
    with tempfile.TemporaryDirectory(prefix="scenograph-fuzz-") as name:
        folder = Path(name)
        database = f"sqlite:///{folder / 'scenes.db'}"
        with running_services(1, folder, DATABASE_URL=database, **SETTINGS) as (service,):
            code = _schemathesis(service.url, seconds, seed, folder)
            log = service.log.read_text()
    found = [line for line in log.splitlines() if any(word in line for word in FAULTS)]
    print("\n".join(found[:20]) or "The log speaks of no fault.")
    sys.exit(code or int(bool(found)))


def _schemathesis(address: str, seconds: int, seed: int, folder: Path) -> int:
    """Its exit code."""
    program = str(Path(sys.executable).parent / "schemathesis")
    choices = {
        "--checks": "all",
        "--exclude-checks": UNSAYABLE,
        "--max-time": str(seconds),
        "--seed": str(seed),
        "--header": f"Authorization: Bearer {KEY}",
        "--suppress-health-check": "all",
        "--warnings": "off",
    }
    words = [word for pair in choices.items() for word in pair]
    command = [program, "run", f"{address}/openapi.json", "--continue-on-failure", "--no-color", *words]
    return subprocess.run(command, check=False, cwd=folder).returncode  # noqa: S603 - nothing of it comes from outside


if __name__ == "__main__":
    app()
