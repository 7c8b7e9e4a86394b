// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Deltas in the vendor's binary format, Bin2: what UpdateData takes and answers (docs/wire.md, "Deltas").
public struct DeltaStream: Sendable {
    public var deltas: [Delta]

    public init(_ deltas: [Delta] = []) {
        self.deltas = deltas
    }

    public init(decoding bytes: ByteBuffer, limits: TableLimits = .standard) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits)
        deltas = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind == StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("something else among deltas")
            }
            deltas.append(try Delta(named: entry.name, from: &reader))
        }
    }

    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for delta in deltas { stream.add(.delta, delta.name) { delta.write(to: &$0) } }
        return try stream.finish()
    }
}
