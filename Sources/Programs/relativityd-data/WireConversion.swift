// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import JSON
import NIOCore
import Platform
import Remoting

/// The arguments from relctl: `decode|encode [--hex] [--redact] [--types TYPES] FILE`.
struct WireOptions {
    enum Direction: String {
        case decode
        case encode
    }

    let direction: Direction
    private(set) var isHex = false
    private(set) var isRedacted = false
    private(set) var types: String?
    /// `-` is standard input.
    let path: String

    /// Returns nil for invalid arguments. Users run relctl, which has already checked them.
    init?(_ arguments: ArraySlice<String>) {
        guard let direction = arguments.first.flatMap(Direction.init), arguments.count >= 2, let path = arguments.last
        else { return nil }
        self.direction = direction
        self.path = path
        var rest = arguments.dropFirst().dropLast()
        while let option = rest.popFirst() {
            switch option {
            case "--hex": isHex = true
            case "--redact": isRedacted = true
            case "--types":
                guard let value = rest.popFirst() else { return nil }
                types = value
            default: return nil
            }
        }
    }
}

/// The reason why the input cannot be read.
enum WireFailure: Error {
    case noHex
}

extension WireFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noHex: "the input is not an even number of hexadecimal digits"
        }
    }
}

extension WireOptions {
    /// A document is much longer than its message.
    private static let documentBytes = 512 << 20
    private static let documentLimits = JSONLimits(depth: 128, bytes: documentBytes, values: 1 << 24)

    /// The output of the conversion.
    func converted() throws -> [UInt8] { try direction == .decode ? decode() : encode() }

    private func decode() throws -> [UInt8] {
        let limit = WireLimits.standard.message
        var bytes = try UserPath.read(path, maximumBytes: isHex ? 4 * limit : limit)
        if isHex {
            let digits = String(decoding: bytes.filter { !" \t\r\n".utf8.contains($0) }, as: UTF8.self)
            guard let decoded = HexText.decode(digits) else { throw WireFailure.noHex }
            bytes = decoded
        }
        let input = ByteBuffer(bytes: bytes)
        let document =
            StreamDocument.isStream(input) && types == nil
            ? try StreamDocument.decode(input, isRedacted: isRedacted)
            : try MessageDocument.decode(input, types: types, isRedacted: isRedacted)
        return JSONValue.object(document).serialized(.pretty) + Array("\n".utf8)
    }

    private func encode() throws -> [UInt8] {
        let text = try UserPath.read(path, maximumBytes: Self.documentBytes)
        guard let document = try JSONValue(parsing: text, limits: Self.documentLimits).objectValue else {
            throw DocumentError.shape("object")
        }
        let encoded =
            StreamDocument.isKind(document["kind"])
            ? try StreamDocument.encode(document) : try MessageDocument.encode(document)
        let bytes = Array(encoded.readableBytesView)
        return isHex ? Array((HexText.encode(bytes) + "\n").utf8) : bytes
    }
}
