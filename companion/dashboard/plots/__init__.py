"""Plots in characters: read without color, by the glyph of each seat."""
