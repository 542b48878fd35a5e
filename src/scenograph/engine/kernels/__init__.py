"""The inner loops of the engine, over numbers and flat lists: no word of a scene, nothing of the rest of the engine."""
