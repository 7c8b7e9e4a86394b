// SPDX-License-Identifier: Apache-2.0

/// Kinds and states of changes as texts spell them.
extension DeltaChange.Kind {
    var word: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .delete: "delete"
        }
    }

    init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }
}

extension DeltaChange.Status {
    var word: String {
        switch self {
        case .pending: "pending"
        case .resolved: "resolved"
        case .failed: "failed"
        }
    }

    init?(word: String) {
        guard let status = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = status
    }
}
