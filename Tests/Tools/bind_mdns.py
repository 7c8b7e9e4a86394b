# SPDX-License-Identifier: Apache-2.0
"""Binds the port of multicast DNS in addition to its current owner, until it is killed."""
import signal
import socket

listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
listener.bind(("", 5353))
signal.pause()
