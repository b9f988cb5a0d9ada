"""The Manual panel."""
