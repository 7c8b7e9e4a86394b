// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// An address as people write it: a link-local one with the name of its interface rather than its number.
struct ShownAddress {
    let text: String

    /// - Parameter text: as the daemon tells it.
    init(_ text: String) {
        guard let address = IPAddress(text), let name = address.interfaceName else {
            self.text = text
            return
        }
        self.text = "\(address.withoutScope)%\(name)"
    }
}
