// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// A reply of 1 MB.
struct SampleReply {
    let name: String
    let bytes: ByteBuffer
    private let type: RemotingType

    static let all = [
        SampleReply(name: "binary", .binary, .binary(ByteBuffer(repeating: 0x5A, count: 1_000_000))),
        SampleReply(name: "structs", .array(of: .structure(className)), .array(customers)),
    ]

    /// Every struct has two numbers, a short text, and a longer one that a `String` cannot store inline.
    private static let className = "TCustomer"
    private static let fields: [NamedType] = [
        .init("Id", .integer), .init("Name", .utf8String), .init("Street", .utf8String), .init("Turnover", .int64),
    ]

    private static var customers: [RemotingValue] {
        (0..<12_500).map { number in
            .structure(
                RemotingStruct(
                    className,
                    [
                        .init("Id", .integer(Int32(number))), .init("Name", .utf8String("Müller \(number)")),
                        .init("Street", .utf8String("\(number) Long Winding Road")),
                        .init("Turnover", .int64(Int64(number) * 1000)),
                    ]
                )
            )
        }
    }

    private static let catalog: StructCatalog = {
        var catalog = StructCatalog()
        catalog.define(className, fields)
        return catalog
    }()

    private init(name: String, _ type: RemotingType, _ value: RemotingValue) {
        self.name = name
        self.type = type
        var writer = BinMessageWriter()
        writer.write(utf8: "DataService")
        writer.write(utf8: "GetResponse")
        writer.write(value)
        bytes = BinMessage(header: MessageHeader(clientID: ClientID()), body: writer.buffer).encoded()
    }

    func decode() throws -> RemotingValue {
        var reader = try ReplyMessage.values(of: bytes)
        return try reader.readValue(type, Self.catalog)
    }
}
