"""Linglong, a little dragon that guards a burning pearl: body, head, fins, paint, skeleton and clips."""
