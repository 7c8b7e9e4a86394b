// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// The address without its scope, which is a number on this machine that can change when it restarts.
    package var withoutScope: IPAddress { IPAddress(bytes: bytes) ?? self }

    /// The name of the interface of a link-local address. Nil for every other address, and if the interface does not
    /// exist.
    package var interfaceName: String? { InterfaceName.of(scope) }
}
