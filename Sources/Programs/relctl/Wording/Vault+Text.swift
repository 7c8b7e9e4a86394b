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

extension CredentialsAPI.ProviderFault {
    /// Why a key provider does not work, as a part of a sentence, safe for a terminal.
    var text: Printable { Printable(again: "\(fault)") }

    fileprivate var fault: ProviderFault {
        ProviderFault(
            // Both have the same words: a test compares them.
            ProviderFault.Code(rawValue: code.rawValue) ?? .error,
            path: path,
            number: number.flatMap { Int(exactly: $0) },
            detail: detail
        )
    }
}

extension CredentialsAPI.AnchorNote {
    /// A sentence, safe for a terminal.
    var text: Printable {
        let word: AnchorNote.Code =
            switch code {
            case .malformed: .malformed
            case .otherVault: .otherVault
            case .wrongTag: .wrongTag
            case .unreadable: .unreadable
            case .notKept: .notKept
            }
        return Printable(again: "\(AnchorNote(word, in: place, fault: fault?.fault, detail: detail))")
    }
}
