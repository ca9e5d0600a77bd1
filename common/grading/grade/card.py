"""This machine's card: whether there is one, what a sandbox needs for it, and turns to use it."""

import contextlib
import fcntl
import glob
import os
import socket
import subprocess
import threading

from .errors import Refused

# Only a program that uses the card sees these devices and variables.
DEVICES = ("nvidia[0-9]*", "nvidiactl", "nvidia-uvm*", "nvidia-caps", "dxg")
VARIABLES = ("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH")
CUDA = "common/setup/cuda.sh"
NO_CARD = "none, compute capability 9.0, driver none"
within = threading.Lock()


def devices():
    return sorted(path for pattern in DEVICES for path in glob.glob(f"/dev/{pattern}"))


def variables():
    """Returns the grader's own variables for a toolkit or a driver in an unusual place."""
    return {name: os.environ[name] for name in VARIABLES if name in os.environ}


def folders():
    """Returns the toolkit's folder where no sandbox shows it anyway."""
    home = os.environ.get("CUDA_HOME", "")
    return [home] if os.path.isdir(home) and not home.startswith("/usr/") else []


def asked(root, question):
    done = subprocess.run(
        [os.path.join(root, CUDA), question], capture_output=True, text=True, check=False
    )
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
        self.devices, self.variables, self.folders = devices(), variables(), folders()
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
