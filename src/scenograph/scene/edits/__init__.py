"""What each operation does to a draft: one function an operation, from the operation to an `Edit`."""
