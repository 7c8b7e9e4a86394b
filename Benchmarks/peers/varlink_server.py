# SPDX-License-Identifier: Apache-2.0
"""varlink_server.py SOCKET CORE: a server using PyPI's varlink that answers org.varlink.service.GetInfo."""

import os
import sys

import varlink


def main() -> None:
    path, core = sys.argv[1], int(sys.argv[2])
    os.sched_setaffinity(0, {core})
    service = varlink.Service(
        vendor="relativityd benchmarks", product="peer", version="1", url="https://varlink.org", interface_dir="."
    )

    class Handler(varlink.RequestHandler):
        pass

    Handler.service = service
    with varlink.ThreadingServer(f"unix:{path};mode=0600", Handler) as server:
        server.serve_forever()


main()
