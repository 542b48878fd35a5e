"""SQL that defines tables, statement by statement: one that is not understood costs only itself."""

from scenograph.reading.sql.dialects import recognizes
from scenograph.reading.sql.reader import read

__all__ = ["read", "recognizes"]
