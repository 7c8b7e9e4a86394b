// SPDX-License-Identifier: Apache-2.0

import JSON

extension DaemonError {
    /// What happened, as a sentence fragment without a secret. Foreign text in it is escaped already.
    public var message: String { record.json["message"]?.stringValue ?? code.rawValue }
}

extension DaemonError: CustomStringConvertible {
    public var description: String { message }
}
