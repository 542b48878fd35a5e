"""What the service promises, tried under load: each module makes trouble for a while, and reads afterwards what came of
it. A promise that does not hold is a Broken, and `scripts/make_trouble.py` ends with 1.
"""
