"""The forms in which the result of a submission is told; each is made from the model alone."""
