// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting

/// Puts the body of a message together from the parts of a document.
struct MessageBuilder {
    /// Parts inside of parts; the parser of the document has a bound of its own.
    private static let depth = 64

    private var writer = BinMessageWriter()

    var body: ByteBuffer { writer.buffer }

    mutating func write(_ parts: [JSONValue]) throws {
        try write(parts, depth: Self.depth)
    }

    private mutating func write(_ parts: [JSONValue], depth: Int) throws {
        for part in parts {
            guard depth > 0, let part = part.objectValue else { throw DocumentError.shape("part") }
            try write(part, depth: depth - 1)
        }
    }

    private mutating func write(_ part: JSONObject, depth: Int) throws {
        if let digits = part["hex"] {
            guard let bytes = digits.stringValue.flatMap({ HexText.decode($0) }) else {
                throw DocumentError.shape("hex")
            }
            writer.writeRaw { $0.writeBytes(bytes) }
            return
        }
        let type = part["type"]?.stringValue ?? ""
        switch type {
        case ValueType.structure:
            guard let className = part["class"]?.stringValue else { return writer.writeAssigned(false) }
            writer.writeAssigned(true)
            writer.write(utf8: className)
            try write(elements(of: part, "fields"), depth: depth)
        case ValueType.array:
            guard part["elements"] != nil else { return writer.writeAssigned(false) }
            let elements = try elements(of: part, "elements")
            writer.writeAssigned(true)
            writer.writeCount(elements.count)
            try write(elements, depth: depth)
        case ValueType.message:
            writer.write(binary: try MessageDocument.encode(part))
        case ValueType.stream:
            writer.write(binary: try StreamDocument.encode(part))
        case ValueType.variant:
            writer.write(try ValueDocument.read(part, as: .variant))
        default:
            guard let plain = ValueType.plain[type] else { throw DocumentError.shape("type of a part") }
            writer.write(try ValueDocument.read(part, as: plain))
        }
    }

    private func elements(of part: JSONObject, _ key: String) throws -> [JSONValue] {
        guard let elements = part[key]?.arrayValue else { throw DocumentError.shape(key) }
        return elements
    }
}
