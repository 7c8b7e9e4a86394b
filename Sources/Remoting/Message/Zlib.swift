// SPDX-License-Identifier: Apache-2.0

import CZlib
import NIOCore

/// zlib streams (RFC 1950) in memory, with a bound on what comes out.
enum Zlib {
    private static let step = 64 << 10

    /// - Throws: `tooLarge` as soon as more than `limit` bytes come out; `malformed` for a damaged or unfinished stream,
    ///   and for bytes after its end.
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

    /// Nil only if zlib has no memory.
    static func deflate(_ input: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        guard relz_deflate_init(&stream, Z_DEFAULT_COMPRESSION) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = ByteBuffer()
        let status = run(&stream, input, into: &output, limit: .max) { CZlib.deflate(&$0, Z_FINISH) }
        return status == Z_STREAM_END ? output : nil
    }

    /// Turns the stream's crank until it ends, fails, stalls for want of input, or passes the limit.
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

/// A zlib stream (RFC 1950) that is inflated in pieces: none takes long, and little is held.
///
/// An object, because zlib's own state points back at it.
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

    /// Takes bytes off the front of `input` and gives what they inflate to: nothing once more input is needed.
    ///
    /// - Throws: `malformed` for a damaged stream, and for bytes after its end.
    func next(from input: inout ByteBuffer, atMost limit: Int) throws(RemotingError) -> ByteBuffer {
        var output = ByteBuffer()
        if !isEnded {
            switch run(&input, into: &output, limit) {
            case Z_STREAM_END: isEnded = true
            // The latter says that there is no input, or no room.
            case Z_OK, Z_BUF_ERROR: break
            default: throw .malformed(reason: "damaged zlib stream")
            }
        }
        guard !isEnded || input.readableBytes == 0 else { throw .malformed(reason: "bytes after the zlib stream") }
        return output
    }

    /// - Throws: `malformed` for a stream that has not come to its end.
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
