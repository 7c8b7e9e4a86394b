// SPDX-License-Identifier: Apache-2.0

/// A key that was pressed.
package enum Key: Hashable, Sendable {
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab, backspace, delete, insert
    /// A letter with the Control key.
    case control(Unicode.Scalar)
    /// A typed character; never a control character.
    case text(Unicode.Scalar)
    /// A character of a pasted text, which is only for fields that are typed. A line break or a tab is a space.
    case pasted(Unicode.Scalar)
    /// F1 to F12.
    case function(Int)
    /// A click of the left button at a cell, counted from 0.
    case click(column: Int, line: Int)
    /// A step of the wheel.
    case wheelUp, wheelDown
}
