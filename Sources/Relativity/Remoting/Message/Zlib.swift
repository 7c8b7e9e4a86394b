// SPDX-License-Identifier: Apache-2.0

import CZlib
import NIOCore

/// In-memory zlib streams (RFC 1950), with a limit on the output.
enum Zlib {
    private static let step = 64 << 10

    /// Inflates a complete stream.
    ///
    /// - Throws: `tooLarge` as soon as the output exceeds `limit` bytes; `malformed` for a damaged or incomplete
    ///   stream, and for bytes after its end.
    static func inflate(_ input: ByteBuffer, limit: Int) throws(RemotingError) -> ByteBuffer {
        var stream = z_stream()
        guard relz_inflate_init(&stream) == Z_OK else { throw .malformed(reason: "zlib has no memory") }
        defer { inflateEnd(&stream) }
        var output = ByteBuffer()
        let status = run(&stream, input, into: &output, limit: limit) { CZlib.inflate(&$0, Z_NO_FLUSH) }
        guard output.readableBytes <= limit else { throw .tooLarge(limit: limit) }
        guard status == Z_STREAM_END else { throw .malformed(reason: "damaged zlib stream") }
        guard stream.avail_in == 0 else { throw .malformed(reason: "bytes after the zlib stream") }
        return output
    }

    /// Returns nil only if zlib cannot allocate memory.
    ///
    /// - Parameter level: from 1, the fastest, to 9, the smallest output.
    static func deflate(_ input: ByteBuffer, level: Int = 6) -> ByteBuffer? {
        var stream = z_stream()
        guard relz_deflate_init(&stream, Int32(clamping: level)) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = ByteBuffer()
        let status = run(&stream, input, into: &output, limit: .max) { CZlib.deflate(&$0, Z_FINISH) }
        return status == Z_STREAM_END ? output : nil
    }

    /// Runs the stream until it ends, fails, lacks input, or exceeds the limit.
    private static func run(
        _ stream: inout z_stream,
        _ input: ByteBuffer,
        into output: inout ByteBuffer,
        limit: Int,
        turn: (inout z_stream) -> Int32
    ) -> Int32 {
        input.withUnsafeReadableBytes { source in
            // zlib reads through next_in only, but its C declaration is not const.
            stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(clamping: source.count)
            var status = Z_OK
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: step) { space in
                    let room = min(space.count, step)
                    stream.next_out = space.bindMemory(to: UInt8.self).baseAddress
                    stream.avail_out = UInt32(room)
                    status = turn(&stream)
                    return room - Int(stream.avail_out)
                }
            } while status == Z_OK && output.readableBytes <= limit
            return status
        }
    }
}

/// Inflates a zlib stream (RFC 1950) in chunks, so that each step is short and little memory is used.
///
/// A class, because zlib's internal state contains a pointer to the `z_stream`.
final class InflateStream {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isEnded = false

    init() throws(RemotingError) {
        stream.initialize(to: z_stream())
        guard relz_inflate_init(stream) == Z_OK else { throw .malformed(reason: "zlib has no memory") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates bytes from the front of `input`, at most `limit` bytes of output. An empty result means that more
    /// input is needed.
    ///
    /// - Throws: `malformed` for a damaged stream, and for bytes after its end.
    func next(from input: inout ByteBuffer, atMost limit: Int) throws(RemotingError) -> ByteBuffer {
        var output = ByteBuffer()
        if !isEnded {
            switch run(&input, into: &output, limit) {
            case Z_STREAM_END: isEnded = true
            // Z_BUF_ERROR: there is no input, or no space for output.
            case Z_OK, Z_BUF_ERROR: break
            default: throw .malformed(reason: "damaged zlib stream")
            }
        }
        guard !isEnded || input.readableBytes == 0 else { throw .malformed(reason: "bytes after the zlib stream") }
        return output
    }

    /// Call after all input has been consumed.
    ///
    /// - Throws: `malformed` if the stream is incomplete.
    func finish() throws(RemotingError) {
        guard isEnded else { throw .malformed(reason: "damaged zlib stream") }
    }

    private func run(_ input: inout ByteBuffer, into output: inout ByteBuffer, _ limit: Int) -> Int32 {
        var status = Z_OK
        let used = input.withUnsafeReadableBytes { source in
            let count = UInt32(clamping: source.count)
            // zlib reads through next_in only, but its C declaration is not const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = count
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { space in
                let room = min(space.count, limit)
                stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room)
                status = inflate(stream, Z_NO_FLUSH)
                return room - Int(stream.pointee.avail_out)
            }
            return Int(count - stream.pointee.avail_in)
        }
        input.moveReaderIndex(forwardBy: used)
        return status
    }
}
