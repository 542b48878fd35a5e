"""SQL that defines tables, statement by statement: a fault costs only its statement."""
