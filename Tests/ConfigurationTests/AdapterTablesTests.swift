// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Testing

@Suite("Tables of adapters in the configuration file")
struct AdapterTablesTests {
    private static let path = "/" + String(repeating: "x", count: 22)

    @Test("adapters are read, and their default form is a loopback port")
    func adapters() throws {
        let read = try DaemonConfiguration(
            parsing: """
                [[adapter]]
                name = "office"
                login = "jane@office/Sales"
                port = 7199
                [[adapter]]
                name = "b_2-x"
                login = "l"
                form = "loopback"
                port = 65535
                path = "\(Self.path)"
                [[adapter]]
                name = "quiet"
                login = "l"
                form = "socket"
                """
        )
        #expect(read.adapterProblems.isEmpty)
        #expect(
            read.configuredAdapters == [
                ConfiguredAdapter(name: "office", login: "jane@office/Sales", place: .loopback(port: 7_199, path: nil)),
                ConfiguredAdapter(name: "b_2-x", login: "l", place: .loopback(port: 65_535, path: Self.path)),
                ConfiguredAdapter(name: "quiet", login: "l", place: .socket),
            ]
        )
    }

    @Test(
        "an invalid table is reported with its number and key, and the other tables and settings are used",
        arguments: [
            ("", "adapter[2].name"), ("name = \"b\"", "adapter[2].login"),
            ("name = \"b\"\nlogin = \"l\"", "adapter[2].port"),
            ("name = \"a/b\"\nlogin = \"l\"\nport = 2000", "adapter[2].name"),
            ("name = \"\"\nlogin = \"l\"\nport = 2000", "adapter[2].name"),
            ("name = \"b\"\nlogin = \"\"\nport = 2000", "adapter[2].login"),
            ("name = \"b\"\nlogin = \"l\"\nport = 80", "adapter[2].port"),
            ("name = \"b\"\nlogin = \"l\"\nport = \"2000\"", "adapter[2].port"),
            ("name = \"b\"\nlogin = \"l\"\nport = 2000\nform = \"session\"", "adapter[2].form"),
            ("name = \"b\"\nlogin = \"l\"\nport = 2000\nform = \"socket\"", "adapter[2].port"),
            ("name = \"b\"\nlogin = \"l\"\nform = \"socket\"\npath = \"\(path)\"", "adapter[2].path"),
            ("name = \"b\"\nlogin = \"l\"\nport = 2000\npath = \"/short\"", "adapter[2].path"),
            ("name = \"b\"\nlogin = \"l\"\nport = 2000\npath = \"\(path)/\"", "adapter[2].path"),
            ("name = \"b\"\nlogin = \"l\"\nport = 2000\npassword = \"x\"", "adapter[2].password"),
            ("name = \"a\"\nlogin = \"l\"\nport = 2000", "adapter[2].name"),
            ("name = \"b\"\nlogin = \"l\"\nport = 1999", "adapter[2].port"),
        ]
    )
    func wrongTable(text: String, key: String) throws {
        let good = "[[adapter]]\nname = \"a\"\nlogin = \"l\"\nport = 1999\n"
        let last = "[[adapter]]\nname = \"c\"\nlogin = \"l\"\nport = 2001\n[adapters]\nmaximum = 7\n"
        let read = try DaemonConfiguration(parsing: good + "[[adapter]]\n\(text)\n" + last)
        #expect(read.configuredAdapters.map(\.name) == ["a", "c"])
        #expect(read.maximumAdapters == 7)
        #expect(read.adapterProblems.count == 1)
        #expect(read.adapterProblems.first.map { "\($0)" }?.contains("'\(key)'") == true, "\(read.adapterProblems)")
    }

    @Test("a value that is not a list of tables is one problem, and so are too many tables")
    func noTables() throws {
        let many = (0..<33).map { "[[adapter]]\nname = \"a\($0)\"\nlogin = \"l\"\nport = \(2_000 + $0)\n" }.joined()
        for text in ["adapter = 7", "[adapter]\nname = \"a\"", many] {
            let read = try DaemonConfiguration(parsing: text)
            #expect(read.configuredAdapters.isEmpty && read.adapterProblems.count == 1)
        }
    }
}
