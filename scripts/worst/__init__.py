"""Documents that cost the engine the most, and the search for more of them."""
