// SPDX-License-Identifier: Apache-2.0

/// Writes little-endian fields. Do not use it for secrets: when the buffer grows, the old copy stays in memory.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    mutating func append(zeros count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a field of a record: tag, length, value.
    mutating func append(field tag: UInt16, _ value: some Collection<UInt8>) {
        append(tag)
        append(UInt32(value.count))
        append(value)
    }

    mutating func append(field tag: UInt16, _ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { append(field: tag, $0) }
    }
}
