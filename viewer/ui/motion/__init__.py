"""The Motion panel."""
