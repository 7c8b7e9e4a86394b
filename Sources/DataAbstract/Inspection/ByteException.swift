// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform

/// A run of bytes that is not what the values of a document would write.
struct ByteException {
    /// From the first byte of the stream.
    let offset: Int
    let bytes: [UInt8]

    /// Where two buffers of one length differ.
    static func all(in bytes: ByteBuffer, comparedTo written: ByteBuffer) -> [ByteException] {
        var runs: [(offset: Int, bytes: [UInt8])] = []
        for (offset, pair) in zip(bytes.readableBytesView, written.readableBytesView).enumerated()
        where pair.0 != pair.1 {
            if let last = runs.last, last.offset + last.bytes.count == offset {
                runs[runs.count - 1].bytes.append(pair.0)
            } else {
                runs.append((offset, [pair.0]))
            }
        }
        return runs.map { ByteException(offset: $0.offset, bytes: $0.bytes) }
    }

    private init(offset: Int, bytes: [UInt8]) {
        self.offset = offset
        self.bytes = bytes
    }

    init(_ object: JSONObject) throws {
        guard let offset = object["offset"]?.integerValue.flatMap(Int.init(exactly:)), offset >= 0,
            let bytes = object["hex"]?.stringValue.flatMap({ HexText.decode($0) })
        else { throw DocumentError.shape("exception") }
        self.offset = offset
        self.bytes = bytes
    }

    var json: JSONValue { ["offset": .integer(Int64(offset)), "hex": .string(HexText.encode(bytes))] }

    func apply(to buffer: inout ByteBuffer) throws {
        guard bytes.count <= buffer.readableBytes, offset <= buffer.readableBytes - bytes.count else {
            throw DocumentError.shape("offset of an exception")
        }
        buffer.setBytes(bytes, at: buffer.readerIndex + offset)
    }
}
