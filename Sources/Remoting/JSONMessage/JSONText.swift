// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore

/// The text of JSON messages: bounded when read, ASCII when written, as the vendor's client writes it.
package enum JSONText {
    /// - Throws: `tooLarge`, `aesEnvelope`, or `malformed` for what is no JSON object.
    package static func object(_ bytes: ByteBuffer, limits: WireLimits) throws(RemotingError) -> JSONObject {
        guard bytes.readableBytes <= limits.message else { throw .tooLarge(limit: limits.message) }
        guard !MessageHeader.opensEnvelope(bytes) else { throw .aesEnvelope }
        // Two levels for each of a value: an object and an array, and those of the message around it.
        let bounds = JSONLimits(depth: 2 * limits.depth + 4, bytes: limits.message, values: limits.elements)
        do {
            guard let object = try JSONValue(parsing: bytes.readableBytesView, limits: bounds).objectValue else {
                throw RemotingError.malformed(reason: "a JSON message is an object")
            }
            return object
        } catch let error as JSONSyntaxError {
            throw .malformed(reason: "\(error)")
        } catch let error as RemotingError {
            throw error
        } catch {
            throw .malformed(reason: "no JSON")
        }
    }

    /// What is not ASCII stands only inside strings, so each such character becomes `\uXXXX`, or two beyond the BMP.
    package static func bytes(of object: JSONObject) -> ByteBuffer {
        var text: [UInt8] = []
        object.serialize(into: &text)
        guard !text.allSatisfy({ $0 < 0x80 }) else { return ByteBuffer(bytes: text) }
        var ascii: [UInt8] = []
        ascii.reserveCapacity(text.count * 2)
        for unit in String(decoding: text, as: UTF8.self).utf16 {
            if unit < 0x80 {
                ascii.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16).utf8
                ascii.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
                ascii.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
                ascii.append(contentsOf: digits)
            }
        }
        return ByteBuffer(bytes: ascii)
    }
}
