// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing
import NIOCore

/// The file of a briefcase: what was read survives writing and reading. Its changes are merged with its rows.
@main
enum BriefcaseFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let input = ByteBuffer(bytes: input)
        guard var briefcase = try? Briefcase(decoding: input) else { return }
        // Names and characters that a stream may have, but not a briefcase.
        guard let bytes = try? briefcase.encoded() else { return }
        guard let again = try? Briefcase(decoding: bytes), again.properties == briefcase.properties,
            again.tables.map(\.name) == briefcase.tables.map(\.name),
            again.changes?.changedRows ?? [] == (briefcase.changes?.changedRows ?? [])
        else { fatalError("a briefcase read differently") }
        if let (set, _) = try? briefcase.changeSet() { try? briefcase.update(from: set) }
        _ = try? briefcase.encoded()
    }
}
