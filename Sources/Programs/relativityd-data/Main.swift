// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// relctl's helper for messages and tables. It is a separate program so that relctl starts without SwiftNIO, and so that
/// the bytes of servers are not decoded where secrets are.
@main
enum Main {
    static let name = "relativityd-data"

    static func main() {
        StandardDescriptors.ensureOpen()
        ParentProcess.follow()
        ProgramArguments.requireReadable()
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let text = contents.answer(to: arguments) { return write(Array(text.utf8)) }
            switch arguments {
            case ["run"]: exit(try JobProcess.run())
            case ["--help"], ["-h"]: write(Array(help.utf8))
            case let words where words.first == "serve": ServeProcess.main(words.dropFirst())
            default:
                guard let options = WireOptions(arguments[...]) else {
                    writeError("\(name): error: unknown arguments\n\(help)")
                    exit(ExitStatus.usage.rawValue)
                }
                write(try options.converted())
            }
        } catch {
            DataFailure(error).report()
        }
    }

    private static let help = """
        USAGE: \(ServeOptions.usage)

        Serves the tables of servers to programs (org.relativityd.Data), on a socket of systemd or at PATH.
        relctl runs this program for all other purposes.

        OPTIONS:
          --socket PATH          Make this socket, and serve until SIGTERM. RELATIVITYD_DATA_SOCKET names it to clients.
          --idle-seconds NUMBER  End after so many seconds without a connection, from 1 to 86400. The default is 60 on
                                 a socket of systemd, and never with --socket.
          --version              Show the versions of the program, its libraries and interfaces.
          -h, --help             Show this help.

        """

    private static let contents = ProgramContents(
        name,
        [.nio, .nioSSL, .log, .toml],
        interfaces: [DataAPI.name]
    )

    /// Writes to standard output.
    static func write(_ bytes: [UInt8]) {
        let code = bytes.withUnsafeBytes { OpenFile.writeAll($0, to: STDOUT_FILENO) }
        // The reader has closed the pipe, as in `relctl wire decode | head`. This is not a failure.
        if code != 0 { DataFailure(code == EPIPE ? FormatError.outputClosed : .output(errno: code)).report() }
    }

    static func writeError(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: STDERR_FILENO) }
    }
}
