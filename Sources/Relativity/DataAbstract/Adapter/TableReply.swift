// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Locks
package import NIOCore
import Remoting

/// The reply to a request for rows, decoded as it arrives, in constant memory.
///
/// Iterate it once. If the task is cancelled, or the reply is released before its end, the connection to the adapter is
/// closed, and the server's call ends with it. The server is read only as fast as events are taken.
///
/// Iteration throws `TableError` for a damaged stream, `DataAdapterError`, and `CancellationError`. Events before an
/// error may have been only a part of a table.
public struct TableReply: AsyncSequence, Sendable {
    public typealias Element = TableEvent

    let reader: ReplyReader

    /// The number of bytes that have been received.
    public var progress: ReplyProgress { reader.progress }

    /// Closes the connection to the adapter. Iteration then throws `DataAdapterError.closed`.
    public func cancel() async { await reader.cancel() }

    /// Returns the next bytes of the stream as they are; nil after the last. They are checked like those of events, also
    /// for the name of the table. Do not iterate a reply that is read in this way.
    ///
    /// - Throws: `TableError`, `DataAdapterError`, `CancellationError`.
    package func nextBytes() async throws -> ByteBuffer? { try await reader.nextBytes() }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// Returns the events of a reply in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ReplyReader

        public mutating func next() async throws -> TableEvent? { try await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> TableEvent? {
            try await reader.next()
        }
    }
}

/// The progress of a reply, in bytes as they are transferred.
public struct ReplyProgress: Hashable, Sendable {
    /// The number of bytes that have been received and taken.
    public internal(set) var bytesReceived = 0
    /// The size of the reply; nil if it is not known, for example of a compressed reply that has no length.
    public internal(set) var bytesExpected: Int?
}

/// Reads the reply to GetData or SQLGetData: the names of service and method, and a Binary that contains a stream.
actor ReplyReader {
    /// Bytes of a reply that are collected, if they have arrived, before its first event.
    private static let smallReply = 64 << 10

    private nonisolated let loop: any EventLoop
    private nonisolated let shownProgress: Lock<ReplyProgress>
    private let reply: ArrivingReply
    private let body: InflatedBody
    private let limits: TableLimits
    private var prefix: ReplyPrefix
    private var decoder: TableStreamDecoder
    private let makeDecoder: @Sendable (Int) -> TableStreamDecoder
    /// The number of bytes of the stream that have not been fed yet; nil before the stream.
    private var bytesLeft: Int?
    /// Whether the first event was asked for after bytes of the stream had arrived.
    private var hasBegun = false
    private var isReading = false
    private var end: Result<Void, any Error>?

    /// - Parameter names: for each table the name that the reply must have; nil or an absent one for any.
    /// - Throws: `RemotingError`.
    init(
        _ reply: ArrivingReply,
        to method: String,
        tables: [String],
        names: [String?],
        types: [String: [DataType]],
        limits: TableLimits,
        codePage: CodePage?,
        on loop: any EventLoop
    ) throws(RemotingError) {
        let body = try reply.inflated()
        let makeDecoder = { @Sendable (count: Int) in
            var decoder = TableStreamDecoder(
                tables: tables,
                types: types,
                byteCount: count,
                limits: limits,
                codePage: codePage
            )
            decoder.expectedNames = names
            return decoder
        }
        self.loop = loop
        self.reply = reply
        prefix = ReplyPrefix(method: method)
        self.limits = limits
        self.body = body
        self.makeDecoder = makeDecoder
        decoder = makeDecoder(0)
        shownProgress = Lock(ReplyProgress(bytesReceived: body.receivedBytes, bytesExpected: body.byteCount))
    }

    deinit {
        guard end == nil else { return }
        let reply = reply
        loop.execute { reply.abandon() }
    }

    /// The loop of the connection.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    nonisolated var progress: ReplyProgress { shownProgress.withLock { $0 } }

    func cancel() { finish(.failure(DataAdapterError.closed)) }

    func next() async throws -> TableEvent? {
        try await read {
            if let bytesLeft, hasBegun || bytesLeft == 0 || !body.hasMore || body.receivedBytes >= Self.smallReply {
                try checkWhole()
                if let event = try decoder.next(waitsForBatch: body.hasMore) { return event }
            }
            guard let piece = try await body.next() else {
                try complete { try decoder.finish() }
                return nil
            }
            if end == nil, let bytes = try taken(piece) { decoder.feed(bytes) }
            return nil
        }
    }

    /// Checks a stream that has arrived whole before its first event, because only its end names the tables.
    private func checkWhole() throws(TableError) {
        guard !hasBegun else { return }
        hasBegun = true
        guard bytesLeft == 0 else { return }
        var whole = decoder
        try whole.finish()
    }

    func nextBytes() async throws -> ByteBuffer? {
        try await read {
            guard let piece = try await body.next() else {
                try complete { try decoder.finish() }
                return nil
            }
            guard end == nil, let bytes = try taken(piece), bytes.readableBytes > 0 else { return nil }
            decoder.feed(bytes)
            while try decoder.next() != nil {}
            return bytes
        }
    }

    /// Repeats a step until it has a result; nil after the end of the reply.
    private func read<Part>(_ step: () async throws -> Part?) async throws -> Part? {
        // Two readers would each miss a part.
        precondition(!isReading, "a table reply is iterated twice")
        isReading = true
        defer { isReading = false }
        do {
            while true {
                if let end {
                    try end.get()
                    return nil
                }
                try Task.checkCancellation()
                if let result = try await step() { return result }
            }
        } catch {
            let failure = located(DataAdapterError.converted(error))
            finish(.failure(failure))
            // The reply may have been cancelled while this waited.
            try end?.get()
            throw failure
        }
    }

    /// Adds the table, the row and the byte at which the connection ended.
    private func located(_ error: any Error) -> any Error {
        guard bytesLeft != nil, case DataAdapterError.interrupted(let reason) = error else { return error }
        do throws(TableError) {
            try decoder.finish()
            return error
        } catch {
            guard let place = error.place else { return DataAdapterError.interrupted(reason: reason) }
            return DataAdapterError.interrupted(reason: "\(reason), \(place)")
        }
    }

    /// - Returns: the bytes of the stream in a piece of the reply; nil if there are none yet.
    private func taken(_ piece: ByteBuffer) throws -> ByteBuffer? {
        var piece = piece
        if bytesLeft == nil {
            guard let count = try prefix.read(&piece) else { return nil }
            guard count <= limits.bytes else { throw DataAdapterError.tooLarge(limit: limits.bytes) }
            decoder = makeDecoder(count)
            bytesLeft = count
        }
        let left = (bytesLeft ?? 0) - piece.readableBytes
        guard left >= 0 else { throw DataAdapterError.malformed(reason: "bytes after the result") }
        bytesLeft = left
        let received = body.receivedBytes
        let expected = body.byteCount ?? (reply.header.isCompressed ? nil : received + left)
        shownProgress.withLock { $0 = ReplyProgress(bytesReceived: received, bytesExpected: expected) }
        return piece
    }

    private func complete(_ check: () throws -> Void) throws {
        guard end == nil else { return }
        guard let bytesLeft else { throw DataAdapterError.malformed(reason: "message cut short") }
        try check()
        guard bytesLeft == 0 else { throw DataAdapterError.malformed(reason: "message cut short") }
        // The last bytes of a compressed reply inflate to nothing.
        shownProgress.withLock { [received = body.receivedBytes] in $0.bytesReceived = received }
        finish(.success(()))
    }

    private func finish(_ result: Result<Void, any Error>) {
        guard end == nil else { return }
        end = result
        if case .failure(DataAdapterError.malformed) = result { return reply.reject() }
        // Closes the connection, if the reply is not complete.
        reply.abandon()
    }
}

/// The part of a reply before the bytes of its result.
private struct ReplyPrefix {
    /// Maximum bytes of the name of a service or a method.
    private static let nameLimit = 4096

    let method: String
    private var bytes = ByteBuffer()

    init(method: String) {
        self.method = method
    }

    /// Removes bytes from the front of a chunk.
    ///
    /// - Returns: the size of the result; nil if more bytes are needed.
    mutating func read(_ chunk: inout ByteBuffer) throws(DataAdapterError) -> Int? {
        bytes.writeBuffer(&chunk)
        var rest = bytes
        guard try Self.name(&rest) != nil, let name = try Self.name(&rest) else { return nil }
        guard ReplyMessage.answers(name, to: method) else { throw DataAdapterError(ReplyMessage.otherCall) }
        guard let flag = rest.readInteger(as: UInt8.self) else { return nil }
        guard flag == 1 else {
            throw .malformed(reason: flag == 0 ? "a null result" : "assigned flag is neither 0 nor 1")
        }
        guard let count = rest.readInteger(endianness: .little, as: Int32.self) else { return nil }
        guard count >= 0 else { throw .malformed(reason: "negative length") }
        chunk = rest
        bytes = ByteBuffer()
        return Int(count)
    }

    /// - Returns: nil if more bytes are needed.
    private static func name(_ bytes: inout ByteBuffer) throws(DataAdapterError) -> ByteBuffer? {
        guard let count = bytes.readInteger(endianness: .little, as: Int32.self) else { return nil }
        guard (0...nameLimit).contains(Int(count)) else {
            throw .malformed(reason: "name longer than \(nameLimit) bytes")
        }
        return bytes.readSlice(length: Int(count))
    }
}
