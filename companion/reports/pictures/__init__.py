"""The pictures that games declare, as SVG for the pages of phones and for reports.

One module for each kind of picture. Each thing has its words as a title, each owner a sign beside
the color, and no text is smaller than 12 units, which are pixels at least.
"""
