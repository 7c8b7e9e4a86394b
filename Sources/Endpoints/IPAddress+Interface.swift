// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// The same without its scope, which is a number of this machine's and of this run's.
    package var withoutScope: IPAddress { IPAddress(bytes: bytes) ?? self }

    /// The name of the interface that a link-local address is meant on; nil for every other address, and for an interface
    /// that is not there.
    package var interfaceName: String? { InterfaceName.of(scope) }
}
