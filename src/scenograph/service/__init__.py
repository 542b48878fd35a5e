"""Use cases over a Store. Plain synchronous code; only here is anything raised to a caller."""
