"""Seeing: from camera frames to a roll that can be trusted."""
