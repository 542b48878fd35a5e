"""SQL that defines tables, statement by statement: one that is not understood costs only itself."""
