// SPDX-License-Identifier: Apache-2.0

import CTOML

/// TOML 1.0, read by toml++.
///
/// It refuses some texts that the standard allows: those beyond the limits, and those with a NUL in a key or a string,
/// which may be written as an escape there.
package enum TOMLDocument {
    /// Reads a whole text.
    ///
    /// - Returns: the members of the root table.
    package static func parse(
        _ text: String,
        limits: TOMLLimits = TOMLLimits()
    ) throws(TOMLError) -> [String: TOMLValue] {
        let bytes = Array(text.utf8)
        var screen = TOMLScreen(bytes, limits: limits)
        try screen.check()
        var fault = relt_fault()
        let document = bytes.withUnsafeBytes { bytes in
            relt_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &fault)
        }
        guard let document else { throw TOMLError(fault) }
        defer { relt_free(document) }
        var reader = TOMLValueReader(document)
        return try reader.next().value.table ?? [:]
    }
}

extension TOMLError {
    fileprivate init(_ fault: relt_fault) {
        let reason = withUnsafeBytes(of: fault.reason) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(line: Int(fault.line), column: Int(fault.column), reason: reason)
    }
}
