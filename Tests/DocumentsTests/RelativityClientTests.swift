// SPDX-License-Identifier: Apache-2.0

import Documents
import Testing

@Suite("The vendor's .relativityClient files")
struct RelativityClientTests {
    private static func document(_ inner: String) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<RelativityClient>\(inner)</RelativityClient>".utf8)
    }

    @Test("every value is found, in any order, among unknown elements")
    func all() throws {
        let file = try RelativityClientFile(
            parsing: Self.document(
                """
                <Later a="b"><Domain>not this one</Domain></Later>
                <DataLogin>Data</DataLogin><AdminLogin> Admin\t<Password>secret</Password></AdminLogin>
                <Schema>PCTrade</Schema><Domain>DASamples &amp; more</Domain>
                <Server><ServerUri>http://10.0.0.7:7099/bin</ServerUri><Name><![CDATA[Büro <1>]]></Name></Server>
                """
            )
        )
        #expect(file.serverName == "Büro <1>")
        #expect(file.serverURI == "http://10.0.0.7:7099/bin")
        #expect(file.domain == "DASamples & more")
        #expect(file.schema == "PCTrade")
        #expect(file.adminUser == "Admin")
        #expect(file.dataUser == "Data")
        #expect(!"\(file)".contains("secret"))
    }

    @Test("a .remoteRODL file has the server's address", arguments: ["RemoteRodl", "RemoteRODL", "remoteRodl"])
    func remoteRODL(root: String) throws {
        let text =
            "<\(root)><Server><ServerUri>http://h:8099/bin</ServerUri></Server>"
            + "<IgnoreDataAbstract>1</IgnoreDataAbstract></\(root)>"
        let file = try RelativityClientFile(parsing: Array(text.utf8))
        var expected = RelativityClientFile()
        expected.serverURI = "http://h:8099/bin"
        #expect(file == expected)
    }

    @Test("empty elements give no values")
    func empty() throws {
        let file = try RelativityClientFile(
            parsing: Self.document("<Server><Name/></Server><Domain> </Domain><AdminLogin />")
        )
        #expect(file == RelativityClientFile())
    }

    @Test("the file survives writing and parsing")
    func roundTrip() throws {
        for name in ["Office", "a & b < c > \"d\" 'e'", "]]>", "日本語 \u{1F600}", "x"] {
            let file = RelativityClientFile(
                serverName: name,
                serverURI: "http://[fe80::1%eth0]:7099/bin",
                domain: name,
                schema: nil
            )
            #expect(try RelativityClientFile(parsing: Array(file.xml.utf8)) == file)
        }
        let hostile = RelativityClientFile(serverName: "a\u{1B}[31m", serverURI: "http://h:1/", domain: "a\nb")
        let read = try RelativityClientFile(parsing: Array(hostile.xml.utf8))
        #expect(read == RelativityClientFile(serverURI: "http://h:1/"))
    }

    @Test("UTF-16 with a byte order mark in both orders, and UTF-8 with one, are parsed")
    func encodings() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"utf-16\"?><RelativityClient><Domain>Büro</Domain></RelativityClient>"
        let units = [0xFEFF] + Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [little, big] { #expect(try RelativityClientFile(parsing: bytes).domain == "Büro") }
        #expect(try RelativityClientFile(parsing: Array(text.utf8), isUTF8: true).domain == "Büro")
        #expect(throws: RelativityClientError.self) { try RelativityClientFile(parsing: Array(text.utf8)) }
        let marked = [0xEF, 0xBB, 0xBF] + Self.document("<Domain>Büro</Domain>")
        #expect(try RelativityClientFile(parsing: marked).domain == "Büro")
    }

    @Test(
        "an invalid file gives an error with the reason and the line",
        arguments: [
            ("<RelativityClient>\n<Domain>", "line 2: not valid XML"),
            ("", "line 1: not valid XML"),
            ("<RelativityClient>\u{0}</RelativityClient>", "line 1: not valid XML"),
            ("<Other/>", "line 1: the outermost element"),
            ("<!DOCTYPE x>\n<RelativityClient/>", "line 1: a document type"),
            ("<!DOCTYPE x [<!ENTITY a \"b\">]><RelativityClient>&a;</RelativityClient>", "a document type"),
            ("<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><RelativityClient/>", "a document type"),
            (
                "<RelativityClient>\n<Domain>a</Domain>\n<Domain/></RelativityClient>",
                "line 3: there is a second Domain"
            ),
            ("<RelativityClient><Schema>a&#10;b</Schema></RelativityClient>", "Schema has a control character"),
            ("<RelativityClient>&undefined;</RelativityClient>", "not valid XML"),
            (
                "<RelativityClient><Domain>\(String(repeating: "x", count: 256))</Domain></RelativityClient>",
                "Domain is longer than 255 bytes"
            ),
            (
                "<RelativityClient>" + String(repeating: "<a>", count: 16) + "</RelativityClient>",
                "nested more than 16 deep"
            ),
            ("<RelativityClient>" + String(repeating: " ", count: 65_536), "larger than 65536 bytes"),
        ]
    )
    func refused(text: String, reason: String) {
        let error = #expect(throws: RelativityClientError.self) {
            try RelativityClientFile(parsing: Array(text.utf8))
        }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
    }

    @Test("no truncated file crashes the parser, and most are rejected")
    func truncated() throws {
        let whole = Array(RelativityClientFile(serverName: "Büro", serverURI: "http://h:1/bin", domain: "D").xml.utf8)
        let sound = (0...whole.count).filter { (try? RelativityClientFile(parsing: Array(whole[..<$0]))) != nil }
        // The complete file, with and without the last line feed.
        #expect(sound == [whole.count - 1, whole.count])
    }
}
