"""What is shown from where: cameras, framing, visibility, the first view, what plays and what is selected."""
