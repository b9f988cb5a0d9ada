"""What moves with a WoW model: cameras, lights, particles, ribbons, attachments."""
