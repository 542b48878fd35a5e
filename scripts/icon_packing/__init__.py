"""From SVG files to icon packs: reading, resolving, converting. Nothing of this runs in the service."""
