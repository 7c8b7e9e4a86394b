// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting

/// Values without parts of their own in a document: exact where JSON messages are made for reading.
enum ValueDocument {
    static func write(_ value: RemotingValue) -> JSONObject {
        switch value {
        case .variant(let variant): VariantDocument.write(variant)
        case .double(let value): ["value": number(value)]
        case .dateTime(let time):
            time.text.map { ["value": number(time.days), "time": .string($0)] } ?? ["value": number(time.days)]
        case .binary(let bytes):
            ["value": bytes.map { .string(HexText.encode(Array($0.readableBytesView))) } ?? .null]
        default: ["value": value.json()]
        }
    }

    /// JSON has no NaN and no infinity: null is no number either, so that their bytes are kept.
    static func number(_ value: Double) -> JSONValue { value.isFinite ? .number(value) : .null }

    static func read(_ part: JSONObject, as type: RemotingType) throws -> RemotingValue {
        let value = part["value"] ?? .null
        switch type {
        case .variant: return .variant(try VariantDocument.read(part))
        case .dateTime:
            guard let days = value.numberValue else { throw DocumentError.shape("days of a dateTime") }
            return .dateTime(DateTime(days: days))
        case .binary where value.isNull: return .binary(nil)
        case .binary:
            guard let bytes = value.stringValue.flatMap({ HexText.decode($0) }) else {
                throw DocumentError.shape("hexadecimal value of a binary")
            }
            return .binary(ByteBuffer(bytes: bytes))
        default: return try RemotingValue(value, as: type)
        }
    }
}
