"""Extractors: what draws facts and profile patches from a batch of rounds."""
