"""Draws the panels and pictures that games declare as text, for any screen, page or report."""
