// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import VarlinkService

/// Sends rows as an Arrow stream on the connection of a call with `upgrade`. Each piece waits until the caller has read the
/// earlier ones.
struct ArrowReplies: CallRows {
    /// About as much may be unsent while the caller pauses.
    private static let pieceBytes = 256 << 10
    private static let rowBytes = 64 << 20

    private let call: VarlinkCall
    private let sink = OutputSink()
    private var writer: ArrowWriter
    /// Whether bytes of the stream were sent.
    private var isOpen = false
    private(set) var count: Int64 = 0

    /// - Parameter columns: the names of the columns to send, in order; nil for all.
    init(_ call: VarlinkCall, _ decimals: ArrowDecimals, columns: [String]? = nil) {
        self.call = call
        var options = FormatOptions()
        options.columns = columns
        options.decimals = decimals
        writer = ArrowWriter(sink, options, rowBytes: Self.rowBytes)
    }

    mutating func begin(_ table: TableHead) async throws {
        try writer.begin(table)
        isOpen = true
        try await send()
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws {
        try writer.add(rows, indices)
        count += Int64(indices?.count ?? rows.count)
        try await send()
    }

    private func send() async throws {
        while true {
            let piece = sink.takeBytes(upTo: Self.pieceBytes)
            guard !piece.isEmpty else { return }
            try await call.upgraded(sending: piece[...])
        }
    }

    mutating func finish() async throws {
        try writer.finish()
        try await send()
    }

    mutating func fail() async {
        guard isOpen else { return }
        _ = sink.takeBytes()
        await writer.fail()
        // A caller that has gone needs no end.
        try? await send()
    }
}
