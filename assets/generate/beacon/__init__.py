"""Beacon, an octopus that keeps a lighthouse: body, arms, gear, paint, skeleton and clips."""
