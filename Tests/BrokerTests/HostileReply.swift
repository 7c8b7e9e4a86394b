// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import Remoting

/// A reply that is small to send and large to inspect, or slow to search.
struct HostileReply: Sendable {
    let name: String
    let bytes: [UInt8]

    /// Whether a report on a server inspects it.
    var isForReports: Bool { ["long lines", "many elements", "class of"].contains { name.contains($0) } }

    private init(_ name: String, _ message: ByteBuffer) {
        self.name = name
        let head = "HTTP/1.1 200 X\r\nContent-Length: \(message.readableBytes)\r\n\r\n"
        bytes = Array(head.utf8) + Array(message.readableBytesView)
    }

    private static let mega = 1 << 20

    /// A message with the content that `body` writes.
    private static func message(
        _ kind: MessageKind,
        compressed: Bool = true,
        _ body: (inout BinMessageWriter) -> Void
    ) -> ByteBuffer {
        var writer = BinMessageWriter()
        body(&writer)
        return BinMessage(header: MessageHeader(kind: kind, clientID: ClientID()), body: writer.buffer)
            .encoded(compressingFrom: compressed ? 0 : nil)
    }

    private static func exception(_ className: Int, _ text: Int, fields: Int = 0, compressed: Bool = true) -> ByteBuffer
    {
        message(.exception, compressed: compressed) { writer in
            for count in [className, text] {
                writer.writeCount(count)
                writer.writeRaw { $0.writeRepeatingByte(0x41, count: count) }
            }
            writer.writeRaw { $0.writeRepeatingByte(0, count: fields) }
        }
    }

    private static func poll(_ events: [ByteBuffer?], compressed: Bool = true) -> ByteBuffer {
        message(.pollResponse, compressed: compressed) { writer in
            writer.writeCount(events.count)
            writer.write(Int32(0))
            for event in events { writer.write(binary: event) }
        }
    }

    private static func zeros(_ kind: MessageKind, _ count: Int) -> ByteBuffer {
        message(kind) { $0.writeRaw { $0.writeRepeatingByte(0, count: count) } }
    }

    private static func schema(_ text: String) -> ByteBuffer {
        message(.message) { writer in
            writer.write(utf8: "DataService")
            writer.write(utf8: "GetSchemaResponse")
            writer.write(utf8: text)
        }
    }

    private static let digits = String(repeating: "QUJDREVGR0g4142434445%41%42\\u0041", count: 1_900)

    /// Answers to any call.
    static let all: [HostileReply] = [
        .init("class of 16 MiB", exception(16 * mega, 4)),
        .init("text of 16 MiB", exception(4, 16 * mega)),
        .init("fields of 16 MiB", exception(4, 4, fields: 16 * mega)),
        .init("plain class of 4 MiB", exception(4 * mega, 4, compressed: false)),
        .init("plain text of 4 MiB", exception(4, 4 * mega, compressed: false)),
        .init("text of 60 KiB", exception(200, 60 << 10)),
        .init("no end of a class", message(.exception) { $0.writeCount(.max) }),
        .init(
            "text of digits",
            message(.exception) {
                $0.write(utf8: "E"); $0.write(utf8: digits)
            }
        ),
        .init("16 MiB", zeros(.message, 16 * mega)),
        .init("an event of 16 MiB", poll([zeros(.event, 16 * mega)])),
        .init("16 events of 1 MiB", poll([ByteBuffer?](repeating: zeros(.event, mega), count: 16))),
        .init("a million events", poll([ByteBuffer?](repeating: nil, count: mega))),
        .init("a poll of 16 MiB", zeros(.pollResponse, 16 * mega)),
        .init("compressed twice", poll([zeros(.event, 16 * mega)], compressed: false)),
        .init("an event of 16 MiB by itself", zeros(.event, 16 * mega)),
        .init("deep schema", schema(String(repeating: "<\(String(repeating: "n", count: 300))>", count: 10_000))),
        .init(
            "schema of long lines",
            schema(
                "<r>"
                    + (0..<200).map { kind in
                        "<a\(kind) "
                            + (0..<160).map { "n\($0)\(String(repeating: "x", count: 120))=''" }.joined(separator: " ")
                            + "/>"
                    }.joined() + "</r>"
            )
        ),
        .init("schema of many elements", schema("<r>" + String(repeating: "<b/>", count: mega - 10) + "</r>")),
        .init("one long name", schema("<" + String(repeating: "x", count: 4 * mega - 100) + "/>")),
        .init(
            "no zlib",
            {
                var bytes = zeros(.exception, 10 * mega)
                bytes.setRepeatingByte(0, count: 100, at: bytes.readerIndex + 1_000)
                return bytes
            }()
        ),
    ]
}
