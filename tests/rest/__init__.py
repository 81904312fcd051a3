"""Tests of the REST API, most of them over a real connection."""
