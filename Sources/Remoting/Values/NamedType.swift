// SPDX-License-Identifier: Apache-2.0

/// A parameter or a field as its RODL declares it.
package struct NamedType: Hashable, Sendable {
    package let name: String
    package let type: RemotingType

    package init(_ name: String, _ type: RemotingType) {
        self.name = name
        self.type = type
    }
}
