"""Write: a drawing as SVG or PNG, a laid-out scene as JSON."""
