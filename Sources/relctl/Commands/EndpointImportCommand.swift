// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

struct EndpointImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the server of a .relativityClient file.",
        discussion: """
            The file's domain and schema are kept for the logins to the server. Passwords are not read: add a login \
            afterwards. A file without an address needs its server to announce itself now.
            """
    )

    private static let maximumBytes = 256 << 10

    @OptionGroup var output: OutputOptions
    @Argument(help: "The file, or - for standard input.")
    var file: String
    @Option(help: "The name of the server here; by default the one in the file.")
    var name: String?

    func run() throws {
        let call = RegistryAPI.ImportCall(name: name, content: try text())
        let reply = try output.client().call(call, within: .seconds(10))
        let record = reply.endpoint
        output.tell(reply.json, else: Columns(["imported", record.name, record.url, record.id]).text)
        for user in [reply.dataUser, reply.adminUser].compactMap({ $0 }) {
            let hint: Hint = "relctl login add \(record.id) --user=\(user)"
            output.note("relctl: hint: \(hint.command)\n")
        }
    }

    /// The file's text, from UTF-8 or from UTF-16 with its mark.
    private func text() throws -> String {
        let path = file == "-" ? "/dev/stdin" : file
        let bytes =
            try file == "-" ? Self.standardInput() : RegularFile(reading: path, maximumBytes: Self.maximumBytes).bytes
        let pairs = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).lazy.map { (bytes[$0], bytes[$0 + 1]) }
        let text: String? =
            switch bytes.prefix(2) {
            case [0xFF, 0xFE]: String(validating: pairs.map { UInt16($0) | UInt16($1) << 8 }, as: UTF16.self)
            case [0xFE, 0xFF]: String(validating: pairs.map { UInt16($0) << 8 | UInt16($1) }, as: UTF16.self)
            default: String(validating: bytes, as: UTF8.self)
            }
        guard let text else {
            throw Failure(.usage, "\(Printable(path)) is neither UTF-8 nor UTF-16")
        }
        return text
    }

    private static func standardInput() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(.failed, "standard input cannot be read")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else {
                throw Failure(.usage, "standard input is longer than \(maximumBytes) bytes")
            }
        }
    }
}
