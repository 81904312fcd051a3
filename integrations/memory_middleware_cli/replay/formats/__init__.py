"""Recordings of other houses, read as messages with their threads and times."""
