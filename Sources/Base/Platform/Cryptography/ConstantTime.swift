// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Comparison of tags, commitments and other values, in a time that does not depend on where they first differ.
package enum ConstantTime {
    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { areEqual(left, $0) } }
    }

    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && relx_differ(left.baseAddress, right.baseAddress, left.count) == 0
    }
}
