"""Bytes to events: transport, session, clock, finder, supervisor. Importing it loads nothing."""
