# SPDX-License-Identifier: Apache-2.0
"""peek.py PID: tries to inspect a process with the methods of debuggers. Prints a line `METHOD OUTCOME` for each."""

import ctypes
import errno
import os
import sys

PTRACE_SEIZE = 0x4206
PROCESS_VM_READV, PIDFD_OPEN, PIDFD_GETFD = 310, 434, 438

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = libc.syscall.restype = ctypes.c_long
pid = int(sys.argv[1])


class Range(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def failing(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def read(name):
    with open(f"/proc/{pid}/{name}", "rb", 0) as file:
        file.read(1)


def trace():
    # The first step of gdb -p and gcore. It ends with this process.
    failing(libc.ptrace(PTRACE_SEIZE, pid, None, None))


def other_memory():
    # EFAULT: there is no memory at this address, but the kernel would have permitted access.
    room = ctypes.create_string_buffer(8)
    here, there = Range(ctypes.addressof(room), 8), Range(4096, 8)
    try:
        failing(libc.syscall(PROCESS_VM_READV, pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
    except OSError as error:
        if error.errno != errno.EFAULT:
            raise


def descriptor():
    failing(libc.syscall(PIDFD_GETFD, failing(libc.syscall(PIDFD_OPEN, pid, 0)), 0, 0))


ways = {
    "mem": lambda: open(f"/proc/{pid}/mem", "rb", 0).close(),
    "environ": lambda: read("environ"),
    "maps": lambda: read("maps"),
    "process_vm_readv": other_memory,
    "descriptor": descriptor,
    "seize": trace,
}
for way, look in ways.items():
    try:
        look()
        outcome = "allowed"
    except OSError as error:
        outcome = errno.errorcode[error.errno]
    print(way, outcome)
