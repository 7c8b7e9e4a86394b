// SPDX-License-Identifier: Apache-2.0

public import JSON
import NIOCore

/// A reply that is serialized once, and can be sent any number of times to any number of callers. They share its
/// memory.
public struct ReadyReply: Sendable {
    let frame: ByteBuffer
    /// The part of the frame that contains the parameters.
    let parameters: ByteBuffer
    let continues: Bool

    /// - Parameters:
    ///   - text: the parameters, as the text of one JSON object. It avoids building a large tree of values.
    ///   - continues: whether more replies follow.
    public init(text: [UInt8], continues: Bool = false) {
        let start: StaticString = "{\"parameters\":"
        let end: StaticString = continues ? ",\"continues\":true}\0" : "}\0"
        var frame = ByteBuffer()
        frame.reserveCapacity(start.utf8CodeUnitCount + text.count + end.utf8CodeUnitCount)
        frame.writeStaticString(start)
        frame.writeBytes(text)
        frame.writeStaticString(end)
        self.frame = frame
        // This part was just written.
        parameters = frame.getSlice(at: start.utf8CodeUnitCount, length: text.count) ?? ByteBuffer()
        self.continues = continues
    }

    /// - Parameters:
    ///   - parameters: the parameters of the reply, of a type that `varlink-generate` generated.
    ///   - continues: whether more replies follow.
    public init(_ parameters: some JSONRecord, continues: Bool = false) {
        var text: [UInt8] = []
        parameters.serialize(into: &text)
        self.init(text: text, continues: continues)
    }
}
