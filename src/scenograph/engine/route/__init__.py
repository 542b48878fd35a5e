"""The route stage: every edge finds its way round what is not its own, and its label a free place."""
