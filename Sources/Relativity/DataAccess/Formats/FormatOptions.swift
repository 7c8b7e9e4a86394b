// SPDX-License-Identifier: Apache-2.0

/// The choices of a user for the text of rows.
package struct FormatOptions: Sendable {
    /// The text of NULL in CSV and in tables for people. If nil, NULL is nothing in CSV, where the empty text is `""`, and
    /// `NULL` in tables.
    package var nullText: String?
    /// Whether JSON contains the numbers that a Double cannot hold exactly as text: LargeInt, LargeAutoInc, LargeUInt,
    /// Decimal and Currency.
    package var numbersAsText = false
    /// The names of the columns to write, in order; nil for all.
    package var columns: [String]?
    /// The types of Decimal and Currency in Arrow.
    package var decimals = ArrowDecimals()
    /// The terminal that shows the output; nil if it is a pipe or a file, which gets exact bytes.
    package var terminal: TerminalRules?

    /// Creates the options of a pipe: all columns, numbers as JSON numbers.
    package init() {}
}

/// The properties of a terminal, and the rules of the program for untrusted text on it.
package struct TerminalRules: Sendable {
    /// The width in columns; nil if it is unknown.
    package var width: Int?
    /// Whether colours may be used.
    package var isColoured: Bool
    /// Makes untrusted text safe to show, at most so many columns wide. A text that is cut ends with a sign for that.
    package var escape: @Sendable (_ text: String, _ columns: Int) -> String
    /// The width of an escaped text in columns.
    package var columns: @Sendable (_ escaped: String) -> Int

    /// Creates the rules.
    package init(
        width: Int?,
        isColoured: Bool = false,
        escape: @escaping @Sendable (String, Int) -> String,
        columns: @escaping @Sendable (String) -> Int
    ) {
        self.width = width
        self.isColoured = isColoured
        self.escape = escape
        self.columns = columns
    }
}

/// The reason why rows cannot be written.
package enum FormatError: Error, Hashable {
    /// The reader of the output has closed it.
    case outputClosed
    /// The output cannot be written.
    case output(errno: Int32)
    /// The table has no column of this name.
    case noColumn(String)
    /// JSON has no NaN and no infinity. The row is counted from 1 in the order of the output.
    case notANumber(column: String, row: Int)
    /// A Decimal has more digits than its type in Arrow. The row is counted as above.
    case tooManyDigits(column: String, row: Int)
    /// Arrow has no time for a number of days that is no certain time. The row is counted as above.
    case uncertainTime(column: String, row: Int)
    /// The format holds one table only.
    case severalTables
    /// Rows came before a table, or with other columns than the table.
    case rowsWithoutTable
}
