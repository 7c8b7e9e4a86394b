// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Lines that have escapes of their own, made safe for a terminal: their backslashes stay.
struct PrintableText {
    let text: String

    init(_ text: String) {
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Printable(again: String($0)).description }
            .joined(separator: "\n")
    }
}
