// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension CredentialsAPI.Slot {
    /// What to ask a person for; nil where the key is kept outside.
    var prompt: String? {
        guard let what = ProviderName(rawValue: kind)?.prompt else { return nil }
        return "\(what) of slot \(Printable(name))"
    }

    /// Id and label, for people; whoever shows it makes it printable.
    var name: String { label.isEmpty ? id : "\(id) \"\(label)\"" }

    /// The strength, with the work of a guess where there is any to do.
    var protection: String { scryptLog2N.map { "\(strength), scrypt 2^\($0)" } ?? strength }

    /// Whether the daemon would understand this name as the slot's.
    func isCalled(_ name: String) -> Bool {
        guard !name.isEmpty else { return false }
        return label == name || id.hasPrefix(name.lowercased()) || name.lowercased().hasPrefix(id)
    }
}
