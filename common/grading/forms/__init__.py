"""The forms in which a submission's result is reported; each is made from the model alone."""
