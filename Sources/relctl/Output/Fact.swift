// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What may stand in a line: foreign text, what was made printable before, or the word for a state.
protocol Fact {
    /// Safe for a terminal.
    var shown: String { get }
}

extension String: Fact {
    var shown: String { Printable(self).description }
}

extension Printable: Fact {
    var shown: String { description }
}
