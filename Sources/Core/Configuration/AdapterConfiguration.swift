// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// An adapter that is open as long as the daemon runs.
package struct AdapterConfiguration: Sendable, Hashable {
    /// The kind of address that programs connect to.
    package enum Form: String, Sendable, Hashable, CaseIterable {
        case loopback, socket
    }

    /// The name of the adapter: 1 to 32 letters, digits, `_` and `-`.
    package var name: String
    /// The name of a login.
    package var login: String
    /// A loopback port or a Unix socket.
    package var form: Form
    /// The port, 1024 to 65535. Set if and only if the form is `loopback`.
    package var port: UInt16?
    /// The path of the URL: a slash and 22 to 255 letters, digits, `_` and `-`. If nil, the daemon generates a path
    /// and stores it.
    package var path: String?

    /// Creates an adapter; the caller ensures that the values are valid.
    package init(name: String, login: String, form: Form, port: UInt16?, path: String? = nil) {
        self.name = name
        self.login = login
        self.form = form
        self.port = port
        self.path = path
    }
}

extension AdapterConfiguration {
    private static let expectedName = "1 to 32 letters, digits, '_' and '-'"
    private static let expectedLogin = "the name of a login"
    private static let expectedPort = "a unique port, and only for the form \"loopback\""
    private static let expectedPath = "a slash and 22 to 255 letters, digits, '_' and '-', for the form \"loopback\""

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let name = try table.text("name", expected: Self.expectedName) { Self.isWord($0, 1...32) ? $0 : nil }
        let login = try table.text("login", expected: Self.expectedLogin) {
            (1...1_024).contains($0.utf8.count) ? $0 : nil
        }
        let form: Form = try table.word("form") ?? .loopback
        let port = try table.integer("port", 1_024...65_535)
        self.init(
            name: try table.required(name, "name", expected: Self.expectedName),
            login: try table.required(login, "login", expected: Self.expectedLogin),
            form: form,
            port: port.map { UInt16(clamping: $0) }
        )
        path = try table.text("path", expected: Self.expectedPath) {
            $0.hasPrefix("/") && Self.isWord(String($0.dropFirst()), 22...255) ? $0 : nil
        }
        try table.finish()
        guard (self.port != nil) == (form == .loopback) else {
            throw table.fault("port", expected: Self.expectedPort)
        }
        guard path == nil || form == .loopback else {
            throw table.fault("path", expected: Self.expectedPath)
        }
    }

    private static func isWord(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(text.utf8.count) && ASCII.isWord(text, marks: "-_")
    }
}

extension DaemonConfiguration {
    /// Reads the valid tables. An invalid table is reported in `adapterProblems` and does not affect the other
    /// adapters.
    mutating func readConfiguredAdapters(_ reader: inout TableReader) {
        let errors = reader.tables("adapter", atMost: 32) { table throws(ConfigurationError) in
            let adapter = try AdapterConfiguration(table)
            try checkUnused(adapter, in: table)
            configuredAdapters.append(adapter)
        }
        adapterProblems += errors
    }

    private func checkUnused(_ adapter: AdapterConfiguration, in table: TableReader) throws(ConfigurationError) {
        guard !configuredAdapters.contains(where: { $0.name == adapter.name }) else {
            throw table.fault("name", expected: "unique among the tables")
        }
        guard adapter.port == nil || !configuredAdapters.contains(where: { $0.port == adapter.port }) else {
            throw table.fault("port", expected: "unique among the tables")
        }
    }
}
