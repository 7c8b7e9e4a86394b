// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

@main
enum Main {
    static func main() {
        StandardDescriptors.ensureOpen()
        ProgramArguments.requireReadable()
        let environment = Environment.ofProcess()
        let passed = PassedSockets(environment)
        do {
            // First, so that no other process can read the memory before it contains a key.
            try ProcessHardening.apply(keptDescriptors: passed.sockets.count)
            try passed.closeOnExec()
            switch try DaemonOptions.parse(CommandLine.arguments.dropFirst()) {
            case .show(let text): write(text, to: STDOUT_FILENO)
            case .verify(let options):
                exit(try VaultVerification(options: options, environment: environment).run())
            case .check(let options):
                exit(try StartCheck(options: options, environment: environment).run())
            case .run(let options):
                try DaemonProcess(options: options, environment: environment, passed: passed).run()
            }
        } catch {
            let status = Self.status(of: error)
            // After any other status the service manager starts the daemon again, and the new daemon serves these
            // connections.
            if status != EXIT_FAILURE { passed.endWaitingConnections() }
            LogSink(environment).write(error)
            exit(status)
        }
    }

    private static func status(of error: any Error) -> Int32 {
        // As for an invalid configuration: another start would not help.
        if case PlatformError.relativeHome = error { return 78 }
        return (error as? StartError)?.exitStatus ?? EXIT_FAILURE
    }

    static func write(_ text: String, to descriptor: Int32) {
        let code = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: descriptor) }
        // A result that is lost is a failure; a message that is lost is not.
        if descriptor == STDOUT_FILENO, code != 0, code != EPIPE { exit(EXIT_FAILURE) }
    }
}
