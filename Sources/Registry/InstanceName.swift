// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What announcements of several types, interfaces and sources have in common when they speak of one server: instance
/// name and domain, compared as DNS compares names (RFC 6762, section 16: bytes, but ASCII letters without case).
struct InstanceName: Hashable, Sendable {
    private let instance: ServiceInstance

    init(_ instance: ServiceInstance) {
        self.instance = instance
    }

    static func == (one: Self, other: Self) -> Bool {
        one.instance == other.instance
            || ASCIICase.areEqual(one.instance.nameBytes, other.instance.nameBytes)
                && ASCIICase.areEqual(one.instance.domain.utf8, other.instance.domain.utf8)
    }

    /// The domain is the same for nearly all, and would tell nothing apart.
    func hash(into hasher: inout Hasher) {
        let name = instance.nameBytes
        withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { lowered in
            for index in name.indices { lowered[index] = ASCIICase.lowered(name[index]) }
            hasher.combine(bytes: UnsafeRawBufferPointer(lowered))
        }
    }
}
