// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension ConfiguredAdapter: ConfigurationTable {
    static var unique: Unique {
        [("name", { $0.name == $1.name }), ("port", { $0.port != nil && $0.port == $1.port })]
    }

    /// The kind of address that programs connect to.
    private enum Form: String, CaseIterable {
        case loopback, socket
    }

    private static let expectedName = "1 to 32 letters, digits, '_' and '-'"
    private static let expectedLogin = "the name of a login"
    private static let expectedPort = "a unique port, and only for the form \"loopback\""
    private static let expectedPath = "a slash and 22 to 255 letters, digits, '_' and '-', for the form \"loopback\""

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let someName = try table.text("name", expected: Self.expectedName) { Self.isWord($0, 1...32) ? $0 : nil }
        let name = try table.required(someName, "name", expected: Self.expectedName)
        let someLogin = try table.text("login", expected: Self.expectedLogin) {
            (1...1_024).contains($0.utf8.count) ? $0 : nil
        }
        let login = try table.required(someLogin, "login", expected: Self.expectedLogin)
        let form: Form = try table.word("form") ?? .loopback
        let port = try table.integer("port", 1_024...65_535).map { UInt16(clamping: $0) }
        let path = try table.text("path", expected: Self.expectedPath) {
            $0.hasPrefix("/") && Self.isWord(String($0.dropFirst()), 22...255) ? $0 : nil
        }
        try table.finish()
        let place: Place =
            switch (form, port) {
            case (.loopback, let port?): .loopback(port: port, path: path)
            case (.socket, nil): .socket
            default: throw table.fault("port", expected: Self.expectedPort)
            }
        guard path == nil || form == .loopback else {
            throw table.fault("path", expected: Self.expectedPath)
        }
        self.init(name: name, login: login, place: place)
    }

    private static func isWord(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(text.utf8.count) && ASCII.isWord(text, marks: "-_")
    }
}
