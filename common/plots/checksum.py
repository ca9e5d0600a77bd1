"""What a figure was drawn from, in one word that the figure's file keeps."""

import hashlib
import json


def of(data):
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
