// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import NIOCore
import NIOPosix
import Varlink
import VarlinkService

/// Serves org.varlink.certification, for the conformance suite of the Varlink project.
///
///     varlink-certification SOCKET DESCRIPTION
///
/// DESCRIPTION is the file `org.varlink.certification.varlink` of the suite. Prints "ready", and exits at the end of
/// its input.
@main
enum Certification {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: varlink-certification SOCKET DESCRIPTION")
            exit(64)
        }
        let server = try VarlinkServer(
            service: VarlinkServiceInfo(
                vendor: "relativityd",
                product: "varlink-certification",
                version: "1",
                url: "https://varlink.org"
            ),
            interfaces: [CertificationInterface(description: text(of: arguments[2]))],
            failure: VarlinkError("org.varlink.certification.ClientIdError"),
            loop: MultiThreadedEventLoopGroup(numberOfThreads: 1).next(),
            logger: Logger(label: "certification"),
            accept: { _ in .accept }
        )
        try await server.listen(path: arguments[1])
        _ = "ready\n".withCString { write(STDOUT_FILENO, $0, 6) }
        while readLine() != nil {}
        await server.stop(within: .zero)
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else {
            print("\(path) cannot be read")
            exit(66)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
