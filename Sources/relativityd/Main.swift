// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Platform

@main
enum Main {
    static func main() {
        let environment = Environment.ofProcess()
        let passed = PassedSockets(environment)
        do {
            // Before anything else: a process that can be looked into is no place for a key.
            try ProcessHardening.apply(keptDescriptors: passed.sockets.count)
            try passed.closeOnExec()
            let options = try DaemonOptions.parse()
            try DaemonProcess(options: options, environment: environment, passed: passed).run()
        } catch let error as StartError {
            report("\(error)")
            exit(error.exitStatus)
        } catch let error as PlatformError {
            report("\(error)")
            exit(EXIT_FAILURE)
        } catch {
            DaemonOptions.exit(withError: error)
        }
    }

    private static func report(_ message: String) {
        let line = Array("relativityd: error: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
