// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOML

extension TableReader {
    /// Parses the complete text of a file.
    init(parsing text: String, maximumBytes: Int) throws(ConfigurationError) {
        guard text.utf8.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        do {
            self.init(try TOMLDocument.parse(text))
        } catch {
            throw .syntax("line \(error.line), column \(error.column): \(Printable(error.reason))")
        }
    }
}
