"""Time: transport, timeline, dope sheet and curves."""
