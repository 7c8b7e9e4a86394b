// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

@Suite struct ExceptionFieldTests {
    private let stock = RemotingException(
        className: "EStock",
        message: "out",
        fields: [.init("left", .integer(3)), .init("Article", .utf8String("x"))]
    )

    private var catalog: StructCatalog {
        var catalog = StructCatalog()
        catalog.define("EStock", [.init("left", .integer), .init("Article", .utf8String)])
        return catalog
    }

    @Test("the fields stand behind the message, sorted by name, without flag and class")
    func layout() throws {
        #expect(stock.fields.map(\.name) == ["Article", "left"])
        let message = ReplyMessage.encode(stock, to: .example)
        #expect(
            message.body.hex == "06000000" + "4553746f636b" + "03000000" + "6f7574" + "01000000" + "78" + "03000000"
        )
    }

    @Test("they are read for a class that is known, and left for another", arguments: [nil, 0])
    func reading(threshold: Int?) throws {
        let bytes = ReplyMessage.encode(stock, to: .example).encoded(compressingFrom: threshold)
        #expect(throws: RemotingError.exception(stock)) { try ReplyMessage.values(of: bytes, exceptions: catalog) }
        let bare = RemotingException(className: "EStock", message: "out")
        #expect(throws: RemotingError.exception(bare)) { try ReplyMessage.values(of: bytes) }
        #expect(try ReplyMessage.exception(in: bytes) == bare)
    }

    @Test("an exception whose fields are cut short is told without them")
    func cut() throws {
        let whole = ReplyMessage.encode(stock, to: .example).encoded()
        let cut = try #require(whole.getSlice(at: 0, length: whole.readableBytes - 1))
        let bare = RemotingException(className: "EStock", message: "out")
        #expect(throws: RemotingError.exception(bare)) { try ReplyMessage.values(of: cut, exceptions: catalog) }
    }
}
