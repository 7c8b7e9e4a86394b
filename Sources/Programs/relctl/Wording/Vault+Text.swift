// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension CredentialsAPI.SlotStrength {
    /// What protects a key slot at rest, as a phrase.
    var text: String {
        // Both have the same words: a test compares them.
        SlotStrength(rawValue: rawValue)?.description ?? rawValue
    }
}
