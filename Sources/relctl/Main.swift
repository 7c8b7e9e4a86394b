// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Platform

@main
enum Main {
    static func main() {
        StandardDescriptors.ensureOpen()
        // A reader that goes away, as in `relctl watch | head`, is not a failure: writing says EPIPE instead.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try Relctl.parseAsRoot()
            try command.run()
        } catch {
            Failure.report(error)
        }
    }
}
