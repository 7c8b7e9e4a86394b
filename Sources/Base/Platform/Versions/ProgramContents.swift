// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The parts of a program and their versions: the answer to `--version`.
package struct ProgramContents: Sendable {
    /// A library that is compiled into the program, or loaded with it.
    package struct Library: Sendable, Hashable {
        package let name: String
        /// The version that is compiled in, or that the loaded library reports; a commit for BoringSSL. nil if the
        /// library reports none.
        package let version: String?
        /// The version of its headers on the machine where the program was built. nil if they have none, or for a
        /// library that is compiled in.
        package let headers: String?
        /// The name of the loaded file, such as `libcrypto.so.3`. nil for a library that is compiled in.
        package let file: String?
    }

    /// Libraries that are compiled into a program.
    package enum Part: Sendable {
        /// Swift NIO and the packages that it uses.
        case nio
        /// Swift NIO's TLS, with BoringSSL.
        case nioSSL
        case log
        case argumentParser
        case toml

        fileprivate var libraries: [Library] {
            switch self {
            case .nio: ["swift-nio", "swift-collections", "swift-atomics"].map(Self.package)
            case .nioSSL: [Self.package("swift-nio-ssl"), Self.compiledIn("BoringSSL", PackageVersions.boringSSL)]
            case .log: [Self.package("swift-log")]
            case .argumentParser: [Self.package("swift-argument-parser")]
            case .toml: [Self.compiledIn("toml++", relx_toml_version().map { String(cString: $0) })]
            }
        }

        private static func package(_ name: String) -> Library { compiledIn(name, PackageVersions.version(of: name)) }

        private static func compiledIn(_ name: String, _ version: String?) -> Library {
            Library(name: name, version: version, headers: nil, file: nil)
        }
    }

    private let program: String
    private let parts: [Part]
    private let vaultFormat: String?
    private let interfaces: [String]

    /// The contents of a program.
    ///
    /// - Parameters:
    ///   - vaultFormat: the newest format of a vault that the program writes, such as `1.0`; nil if it has none.
    ///   - interfaces: the Varlink interfaces that the program serves.
    package init(_ program: String, _ parts: [Part], vaultFormat: String? = nil, interfaces: [String] = []) {
        self.program = program
        self.parts = parts
        self.vaultFormat = vaultFormat
        self.interfaces = interfaces
    }

    /// Returns the output for the arguments `--version` and `--version --json`, in either order; nil for others.
    package func answer(to arguments: [String]) -> String? {
        switch arguments {
        case ["--version"]: text
        case ["--version", "--json"], ["--json", "--version"]: json + "\n"
        default: nil
        }
    }

    /// The libraries: those that are compiled in, then the known ones that this process has loaded, with it or with
    /// another library.
    package var libraries: [Library] { parts.flatMap(\.libraries) + Self.loaded }

    /// The line `PROGRAM VERSION`, and an indented line for each part.
    package var text: String {
        var lines = libraries.map { library in
            [
                [library.name, library.version].compactMap { $0 }.joined(separator: " "), library.file,
                library.headers == library.version ? nil : library.headers.map { "built with headers of \($0)" },
            ].compactMap { $0 }.joined(separator: ", ")
        }
        if let vaultFormat { lines.append("vault format \(vaultFormat)") }
        lines += interfaces.map { "interface \($0)" }
        return "\(program) \(ProjectVersion.text)\n" + lines.map { "  \($0)\n" }.joined()
    }

    /// One JSON object without a line feed. No value needs an escape: the versions that libraries report are reduced
    /// to harmless characters.
    package var json: String {
        let libraries = libraries.map { library in
            Self.object([
                ("name", library.name), ("version", library.version), ("headers", library.headers),
                ("file", library.file),
            ])
        }
        let head = Self.object([("program", program), ("version", ProjectVersion.text), ("vaultFormat", vaultFormat)])
        let names = interfaces.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"schemaVersion\":1,\(head.dropFirst().dropLast()),\"libraries\":[\(libraries.joined(separator: ","))]"
            + (interfaces.isEmpty ? "}" : ",\"interfaces\":[\(names)]}")
    }

    private static func object(_ members: [(name: String, value: String?)]) -> String {
        let members = members.compactMap { member in member.value.map { "\"\(member.name)\":\"\($0)\"" } }
        return "{\(members.joined(separator: ","))}"
    }

    private static var loaded: [Library] {
        var found: [Library] = []
        var facts = relx_library_facts()
        var index = 0
        while case let result = relx_library(index, &facts), result >= 0 {
            index += 1
            guard result == 1 else { continue }
            found.append(
                Library(
                    name: String(cString: facts.name),
                    version: harmless(withUnsafeBytes(of: facts.version) { Array($0) }),
                    headers: facts.headers.map { String(cString: $0) },
                    file: harmless(withUnsafeBytes(of: facts.file) { Array($0) })
                )
            )
        }
        return found
    }

    /// The text up to its NUL, without characters that a version or a file of a library does not have.
    private static func harmless(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let kept = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-+._~".contains($0)) }
        return kept.isEmpty ? nil : kept
    }
}
