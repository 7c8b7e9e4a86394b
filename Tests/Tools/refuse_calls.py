# SPDX-License-Identifier: Apache-2.0
"""refuse_calls.py NUMBER,... COMMAND...: runs a command for which these system calls fail with EPERM (seccomp(2))."""

import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 1

numbers = [int(number) for number in sys.argv[1].split(",")]
program = [(LOAD, 0, 0, 0)]
for number in numbers:
    program += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
program.append((RETURN, 0, 0, ALLOW))
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
filter_pointer = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4
for arguments in ((PR_SET_NO_NEW_PRIVS, 1), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_pointer))):
    if libc.prctl(arguments[0], *arguments[1:], *[None] * (5 - len(arguments))) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
