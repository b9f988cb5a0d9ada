"""The cameras, lights, particles, ribbons and attachments of WoW models."""
