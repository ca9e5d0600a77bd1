"""This machine's card: whether there is one, what a sandbox needs for it, and turns to use it."""

import contextlib
import fcntl
import glob
import os
import socket
import subprocess
import threading

from release.contents import Refused

# Only a program that uses the card sees these devices and variables.
DEVICES = ("nvidia[0-9]*", "nvidiactl", "nvidia-uvm*", "nvidia-caps", "dxg")
VARIABLES = ("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH")
NO_CARD = "none, compute capability 9.0, driver none"
within = threading.Lock()


def asked(root, question):
    command = [os.path.join(root, "common/setup/cuda.sh"), question]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


class Card:
    def __init__(self, root, folder, compile_only=False):
        """Finds the card; `folder` holds its lock. Compiling needs no card."""
        if not asked(root, "nvcc"):
            raise Refused("DEVICE=gpu: there is no nvcc; install the CUDA toolkit, 12 or 13.")
        self.name = NO_CARD if compile_only else asked(root, "card")
        if not self.name:
            raise Refused(
                "DEVICE=gpu: no NVIDIA card answers nvidia-smi. Leave DEVICE out to grade without\n"
                "the points for speed."
            )
        self.devices = sorted(path for name in DEVICES for path in glob.glob(f"/dev/{name}"))
        self.variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        home = os.environ.get("CUDA_HOME", "")
        shown_anyway = home.startswith("/usr/") or not os.path.isdir(home)
        self.folders = [] if shown_anyway else [home]
        # The name reads "NAME, compute capability 9.0, driver ...".
        self.arch = self.name.split(", compute capability ")[1].split(",")[0].replace(".", "")
        os.makedirs(folder, exist_ok=True)
        self.lock = os.path.join(folder, f"card-{socket.gethostname()}.lock")

    @contextlib.contextmanager
    def turn(self):
        """Holds the card: all graders on this machine measure one at a time."""
        with within, open(self.lock, "a", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
