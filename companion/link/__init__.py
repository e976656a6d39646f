"""Bytes to events: transport, session, clock, finder, supervisor."""
