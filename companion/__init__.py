"""A companion for a real game table: it reads the dice, knows the rules and puts every sheet on a phone."""

__version__ = "0.1.0"
