// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What announcements of several types, interfaces and sources have in common when they speak of one server: instance
/// name and domain, compared as DNS compares names (RFC 6762, section 16: bytes, but ASCII letters without case).
struct InstanceName: Hashable, Sendable {
    /// A domain has no NUL, so that nothing else gives the same bytes.
    let bytes: [UInt8]

    init(_ instance: ServiceInstance) {
        bytes = ASCIICase.lowered(instance.domain.utf8) + [0] + ASCIICase.lowered(instance.nameBytes)
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
