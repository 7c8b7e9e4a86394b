// SPDX-License-Identifier: Apache-2.0

/// A key that was pressed.
enum TopKey: Hashable {
    case up, down, pageUp, pageDown, home, end
    case enter, escape, tab, backspace
    /// A letter, as it was typed; never a control character.
    case text(Unicode.Scalar)
}
