"""The packing code is a script's, not the package's: put it where these tests can import it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
