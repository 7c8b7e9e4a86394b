// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What may stand in a line: foreign text, or what was made printable before.
protocol Fact {
    var printable: Printable { get }
}

extension String: Fact {
    var printable: Printable { Printable(self) }
}

extension Printable: Fact {
    var printable: Printable { self }
}
