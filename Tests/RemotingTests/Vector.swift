// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

@testable import Remoting

/// One entry of Vectors/vendor-client.json.
struct Vector: Decodable {
    /// A typed value as written in the vectors.
    struct Value: Decodable {
        let t: String
        let n: String?
        let kind: String?
        let v: Scalar?
        let hex: String?
        let name: String?
        let of: String?
        let ordinal: Int32?
        let items: [Value]?
        let fields: [Value]?
    }

    enum Scalar: Decodable {
        case text(String)
        case number(Double)
        case truth(Bool)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    struct Event: Decodable {
        let sink: String
        let event: String
        let params: [Value]
    }

    struct Message: Decodable {
        let messageCount: Int?
        let messagesLeft: Int32?
        let events: [Event]?
        let compressed: Bool?
        let service: String?
        let method: String?
        let params: [Value]?
        let results: [Value]?
        let exception: String?
        let message: String?
        let fields: [Value]?
    }

    private enum Key: CodingKey {
        case name, kind, hex, note, input
    }

    let name: String
    let kind: String
    let bytes: ByteBuffer
    let note: String?
    let value: Value?
    let message: Message?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        name = try container.decode(String.self, forKey: .name)
        kind = try container.decode(String.self, forKey: .kind)
        bytes = ByteBuffer(hex: try container.decodeIfPresent(String.self, forKey: .hex) ?? "")
        note = try container.decodeIfPresent(String.self, forKey: .note)
        value = kind == "bin-value" ? try container.decode(Value.self, forKey: .input) : nil
        message = kind.hasPrefix("bin-re") ? try container.decode(Message.self, forKey: .input) : nil
    }

    static func all() throws -> [Vector] {
        let url = Bundle.module.path(forResource: "vendor-client", ofType: "json", inDirectory: "Vectors")
        let data = try Data(contentsOf: URL(filePath: url ?? ""))
        return try JSONDecoder().decode([Vector].self, from: data)
    }
}
