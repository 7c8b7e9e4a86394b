// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The next bytes of a descriptor. Bytes that are not taken stay, and more are read after them.
struct ByteWindow {
    private(set) var descriptor: Int32
    private let step: Int
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0

    /// - Parameter step: the bytes that are read at a time.
    init(_ descriptor: Int32, step: Int) {
        self.descriptor = descriptor
        self.step = step
        buffer = [UInt8](repeating: 0, count: step)
    }

    /// The number of bytes that were read and not taken.
    var count: Int { end - start }

    /// Takes bytes that were read.
    mutating func take(_ count: Int) { start += count }

    /// Lends the bytes that were read and not taken.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Returns a byte that was not taken; nil at the end of the file.
    @inline(__always)
    mutating func byte(at index: Int) throws(ImportSourceError) -> UInt8? {
        while index >= count {
            guard try readMore() else { return nil }
        }
        return buffer[start + index]
    }

    /// Whether the file goes on with these bytes.
    mutating func starts(with bytes: [UInt8]) throws(ImportSourceError) -> Bool {
        guard try byte(at: bytes.count - 1) != nil else { return false }
        return withBytes { $0.starts(with: bytes) }
    }

    /// Copies the rest of the descriptor to a file without a name, and reads that from now on.
    ///
    /// - Parameter directory: of the file.
    /// - Returns: its descriptor, which the caller closes.
    mutating func copyRest(in directory: String) throws(ImportSourceError) -> Int32 {
        let copy: Int32
        do throws(PlatformError) {
            copy = try TemporaryFiles.unnamed(in: directory)
        } catch {
            if case .system(_, _, let code) = error { throw .system(errno: code) }
            throw .system(errno: EIO)
        }
        do throws(ImportSourceError) {
            var rest = ByteWindow(descriptor, step: step)
            while try rest.readMore() {
                let code = rest.withBytes { OpenFile.writeAll(UnsafeRawBufferPointer($0), to: copy) }
                guard code == 0 else { throw .system(errno: code) }
                rest.take(rest.count)
            }
            guard lseek(copy, 0, SEEK_SET) == 0 else { throw .system(errno: errno) }
        } catch {
            close(copy)
            throw error
        }
        descriptor = copy
        return copy
    }

    /// Reads more bytes.
    ///
    /// - Returns: false at the end of the file.
    mutating func readMore() throws(ImportSourceError) -> Bool {
        if start > 0 {
            buffer.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                memmove(base, base + start, end - start)
            }
            (start, end) = (0, end - start)
        }
        if end + step > buffer.count {
            buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, end + step - buffer.count)))
        }
        while true {
            let received = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + end }, step)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .system(errno: errno) }
            end += received
            return received > 0
        }
    }
}
