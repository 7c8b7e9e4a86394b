// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import Platform

struct WireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Take messages of the Remoting SDK apart, and put them together.",
        discussion: """
            For whoever writes a client or a tool and wants to see why a call fails. Only 'capture' needs a daemon.
            """,
        subcommands: [Decode.self, Encode.self, WireCaptureCommand.self]
    )

    struct Decode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode",
            abstract: "Print a BinMessage, or a stream of tables, as JSON with the offset of every part.",
            discussion: """
                A ClientID and passwords are shown, because 'wire encode' gives back the very bytes; --redact leaves them \
                out for a report.
                """
        )

        @Flag(help: "The input is hexadecimal text; white space does not count.")
        var hex = false

        @Flag(help: "Leave out every value that is or may be a secret or data.")
        var redact = false

        @Option(
            help: ArgumentHelp(
                "Types of the parameters, for a method that is not known.",
                discussion: "For example 'integer,name:utf8String,array(variant)'.",
                valueName: "types"
            )
        )
        var types: String?

        @Argument(help: "A file; - is standard input.")
        var file = "-"

        func run() throws {
            let options = (hex ? ["--hex"] : []) + (redact ? ["--redact"] : []) + (types.map { ["--types", $0] } ?? [])
            throw WireCommand.become(["decode"] + options + [file])
        }
    }

    struct Encode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode",
            abstract: "Make the message or stream that a document of 'wire decode' tells of."
        )

        @Flag(help: "Write hexadecimal text.")
        var hex = false

        @Argument(help: "A file; - is standard input.")
        var file = "-"

        func run() throws {
            throw WireCommand.become(["encode"] + (hex ? ["--hex"] : []) + [file])
        }
    }

    /// Goes on as the helper, which has the codec and with it SwiftNIO. Comes back only to tell why not.
    private static func become(_ arguments: [String]) -> Failure {
        let path = HelperProgram.path(of: "relativityd-wire")
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        let reason = String(cString: strerror(errno))
        return Failure(.failed, "cannot run '\(Printable(path))', a helper of relctl: \(reason)")
    }
}
