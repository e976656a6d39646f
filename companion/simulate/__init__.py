"""Whole games of Fractured Sky between its AIs and scripted people, on the example map: how strong the AIs are."""
