"""What is drawn over a model: grid, axes, bones, marks, outlines."""
