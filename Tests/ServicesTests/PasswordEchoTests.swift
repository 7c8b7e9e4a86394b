// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Remoting
import TestSupport
import Testing

@testable import Services

@Suite("Detection of passwords that a server repeats")
struct PasswordEchoTests {
    static let passwords = [
        "a", "42", "simple", "correct horse", #"with "quotes""#, #"""#, "back\\slash", "p%40ss+word&=/", "pässwörd",
        "密码密码", "🔑🔑", String(repeating: "long ", count: 20),
    ]

    /// Encodings of bytes that a server may print.
    private static let encodings: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("as it is", { $0 }),
        ("hex", { $0.flatMap { Array(hex($0).utf8) } }),
        ("hex with hyphens", { Array($0.map { hex($0).uppercased() }.joined(separator: "-").utf8) }),
        ("base64", { base64($0) }),
        ("base64 inside more", { base64(Array("user=x;password=".utf8) + $0 + [0x3B]) }),
        ("base64 for URLs", { base64($0).map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 } }),
        ("percent", { $0.flatMap { [0x25] + Array(hex($0).utf8) } }),
    ]

    /// Escapes of text that a server may print.
    private static let escapes: [(String, @Sendable (String) -> String)] = [
        ("HTML", { escaped($0) { "&#\($0);" } }),
        ("HTML in hexadecimal", { escaped($0) { "&#x" + String($0, radix: 16) + ";" } }),
        ("HTML as surrogates", { $0.utf16.map { "&#\($0);" }.joined() }),
        ("HTML by names", { named($0) }),
        ("JSON", { $0.utf16.map { "\\u" + padded($0, 4) }.joined() }),
        ("JSON of what must be", { escapedJSON($0) }),
        ("JavaScript", { $0.unicodeScalars.map { "\\u{" + String($0.value, radix: 16) + "}" }.joined() }),
        ("C", { $0.utf8.map { "\\x" + padded(UInt16($0), 2) }.joined() }),
        (
            "C in octal",
            { $0.utf8.map { "\\" + String(repeating: "0", count: $0 < 64 ? 1 : 0) + String($0, radix: 8) }.joined() }
        ),
        ("URL of special characters", { escaped($0, bytes: true) { "%" + padded(UInt16($0), 2) } }),
        ("form", { escaped($0, bytes: true) { $0 == 32 ? "+" : "%" + padded(UInt16($0), 2) } }),
        ("URL of UTF-16", { $0.utf16.map { "%u" + padded($0, 4) }.joined() }),
        ("quoted-printable", { escaped($0, bytes: true) { "=" + padded(UInt16($0), 2).uppercased() } }),
        (
            "quoted-printable with line ends",
            { escaped($0, bytes: true) { "=\r\n=" + padded(UInt16($0), 2).uppercased() } }
        ),
    ]

    /// Escapes everything except ASCII letters and digits.
    private static func escaped(_ text: String, bytes: Bool = false, _ escape: (UInt32) -> String) -> String {
        let units = bytes ? text.utf8.map { UInt32($0) } : text.unicodeScalars.map(\.value)
        return units.map { unit in
            let character = Character(Unicode.Scalar(unit) ?? " ")
            return character.isASCII && (character.isLetter || character.isNumber) ? String(character) : escape(unit)
        }.joined()
    }

    private static func named(_ text: String) -> String {
        let names = ["&": "amp", "<": "lt", "\"": "quot", "'": "apos", "ä": "auml", "ö": "ouml", "%": "percnt"]
        return text.map { names[String($0)].map { "&\($0);" } ?? String($0) }.joined()
    }

    private static func escapedJSON(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("&", with: "\\u0026")
            .replacing("/", with: "\\/")
    }

    private static func padded(_ number: UInt16, _ digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func hex(_ byte: UInt8) -> String { String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return stride(from: 0, to: bytes.count, by: 3).flatMap { start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let digits = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
            return digits.prefix(group.count + 1) + Array(repeating: 0x3D, count: 3 - group.count)
        }
    }

    private static func message(_ password: String) throws -> LoginMessage {
        try Array(password.utf8).withUnsafeBytes {
            let login = try LoginString(user: #"u";Password="x"#, domain: "d", schema: nil)
            return try LoginRequest.encode(login, password: $0, clientID: ClientID())
        }
    }

    /// The text as a client decodes it from these bytes.
    private static func exception(_ name: [UInt8], _ text: [UInt8]) -> RemotingException {
        RemotingException(className: AnsiString(bytes: name).text, message: AnsiString(bytes: text).text)
    }

    @Test("finds a password in class name and message, in every encoding of every form", arguments: passwords)
    func found(password: String) throws {
        let message = try Self.message(password)
        let little = password.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let latin = password.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        var forms = [Array(password.utf8), little, big]
        if latin.count == password.unicodeScalars.count { forms.append(latin) }
        forms.append(Array(password.replacing("\"", with: "\"\"").utf8))
        for (name, encode) in Self.encodings {
            for (index, form) in forms.enumerated() {
                let echo = encode(form)
                #expect(message.isRepeated(in: Self.exception(Array("X".utf8), echo)), "\(name) \(index)")
                #expect(message.isRepeated(in: Self.exception(echo, Array("no".utf8))), "\(name) \(index)")
                let around = Array("?: ".utf8) + echo + Array(" !".utf8)
                #expect(message.isRepeated(in: Self.exception(Array("X".utf8), around)), "\(name) \(index) around")
            }
        }
        let escaped = password.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        #expect(message.isRepeated(in: Self.exception([0x58], Array("\"\(escaped)\"".utf8))))
    }

    @Test("finds a password escaped once or twice for web pages, JSON, programs, URLs and mail", arguments: passwords)
    func escaped(password: String) throws {
        let message = try Self.message(password)
        for (name, escape) in Self.escapes {
            let texts = [
                escape(password), "user 'x', password '\(escape(password))' is wrong",
                Self.escapedJSON(escape(password)),
            ]
            for (index, text) in texts.enumerated() {
                #expect(message.isRepeated(in: text), "\(name) \(index): \(text)")
                let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
                #expect(message.isRepeated(in: ByteBuffer(bytes: wide), limit: 1 << 16), "\(name) \(index) in UTF-16")
            }
            let mixed = Self.escapedJSON(String(decoding: Self.base64(Array(password.utf8)), as: UTF8.self) + "\r\n")
            #expect(
                message.isRepeated(in: "=?utf-8?B?" + mixed.replacing("+", with: "%2B") + "?="),
                "\(name) of Base64"
            )
        }
    }

    @Test("finds a password in raw bytes, up to the limit and across it")
    func bytes() throws {
        let message = try Self.message("a&b<c>")
        let echo = Array("a&amp;b&lt;c&gt;".utf8)
        for before in [0, 1, 4_095] {
            let text = [UInt8](repeating: 0xFF, count: before) + echo + [0, 0]
            #expect(message.isRepeated(in: ByteBuffer(bytes: text), limit: 4_096), "\(before)")
        }
        let late = [UInt8](repeating: 0, count: 1 << 15) + echo
        #expect(!message.isRepeated(in: ByteBuffer(bytes: late), limit: 4_096))
    }

    @Test("the search time depends only on the length of the text")
    func linear() throws {
        func time(_ count: Int) throws -> Duration {
            let message = try Self.message(String(repeating: "a", count: count) + "b")
            let text = ByteBuffer(repeating: UInt8(ascii: "a"), count: 64 << 10)
            return ContinuousClock().measure { #expect(!message.isRepeated(in: text, limit: 64 << 10)) }
        }
        // A quadratic search would take a thousand times as long.
        let short = try (0..<5).map { _ in try time(4) }.min() ?? .zero
        let long = try (0..<5).map { _ in try time(4_000) }.min() ?? .zero
        #expect(long < short * 20, "\(long) and \(short)")
    }

    @Test("does not find an absent password, and never finds an empty one")
    func absent() throws {
        let text = Array(
            "Login failed for 'simpl', 73696d706c, c2ltcGw=: user or password is wrong; \"quoted\" 100%".utf8
        )
        for password in ["simple", "correct horse", "pässwörd", "密码密码", ""] {
            let message = try Self.message(password)
            #expect(!message.isRepeated(in: Self.exception(Array("EROException".utf8), text)), "\(password)")
        }
    }

    @Test("finds a password that begins anywhere in the shown part of a text, and ignores the rest of a long text")
    func longTexts() throws {
        let message = try Self.message("correct horse")
        for before in [0, 1_000, PasswordEcho.textLimit - 1] {
            let text = String(repeating: "x", count: before) + "correct horse" + String(repeating: "y", count: 1 << 20)
            #expect(message.isRepeated(in: RemotingException(className: "", message: text)))
        }
        let longest = String(repeating: "p", count: LoginString.fieldLimit)
        let shown = RemotingException(className: "", message: "user u, password \(longest) is wrong")
        #expect(try Self.message(longest).isRepeated(in: shown))
        // The most bytes per column: a letter of four bytes with the maximum number of shown marks of four bytes
        // each.
        let piled = String(repeating: "\u{10400}\u{1D167}\u{1D167}\u{1D167}\u{1D167}", count: 2_000)
        #expect(Printable(piled).description.utf8.count <= PasswordEcho.textLimit)
    }

    @Test("finds a password in random encodings by a server")
    func random() throws {
        for seed in 0..<400 {
            var random = SeededRandom(seed: UInt64(seed))
            let password = Self.text(1...20, &random)
            let noise = Self.text(0...60, &random)
            let (name, encode) = try #require(Self.encodings.randomElement(using: &random))
            // Adjacent digits would shift the digits of the echo.
            let around = name == "as it is" || name == "percent" ? noise : Array(" ?! ".utf8)
            let text = around + encode(password) + around
            let shown = String(decoding: password, as: UTF8.self)
            #expect(try Self.message(shown).isRepeated(in: Self.exception([], text)), "\(name) of \(shown)")
        }
    }

    private static func text(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: count, using: &random)).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
    }

    @Test("finds nothing after the message was wiped")
    func wiped() throws {
        let message = try Self.message("correct horse")
        message.wipe()
        #expect(!message.isRepeated(in: RemotingException(className: "", message: "correct horse")))
    }
}
