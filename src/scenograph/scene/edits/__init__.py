"""The effects of operations on a draft: a function for each operation, from the operation to an `Edit`."""
