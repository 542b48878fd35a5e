"""Scene to picture. Pure: no network, no clock, no chance, no log. The only front door is `engine.pipeline`."""
