"""Making the networks from nothing: `python -m companion.vision.train PART`."""
