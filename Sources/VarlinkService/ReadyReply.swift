// SPDX-License-Identifier: Apache-2.0

public import JSON
import NIOCore

/// A reply that is put into text once, and sent as often and to as many callers as wanted. All share its memory.
public struct ReadyReply: Sendable {
    let frame: ByteBuffer
    /// The part of the frame that holds the parameters.
    let parameters: ByteBuffer
    let continues: Bool

    /// - Parameters:
    ///   - text: the parameters, as the text of one JSON object: for what would be large as a tree of values.
    ///   - continues: it is one of several replies, and not the last.
    public init(text: [UInt8], continues: Bool = false) {
        let start: StaticString = "{\"parameters\":"
        let end: StaticString = continues ? ",\"continues\":true}\0" : "}\0"
        var frame = ByteBuffer()
        frame.reserveCapacity(start.utf8CodeUnitCount + text.count + end.utf8CodeUnitCount)
        frame.writeStaticString(start)
        frame.writeBytes(text)
        frame.writeStaticString(end)
        self.frame = frame
        // The part was just written.
        parameters = frame.getSlice(at: start.utf8CodeUnitCount, length: text.count) ?? ByteBuffer()
        self.continues = continues
    }

    /// - Parameters:
    ///   - parameters: a reply's, of a type that `varlink-generate` made.
    ///   - continues: it is one of several replies, and not the last.
    public init(_ parameters: some JSONRecord, continues: Bool = false) {
        var text: [UInt8] = []
        parameters.serialize(into: &text)
        self.init(text: text, continues: continues)
    }
}
