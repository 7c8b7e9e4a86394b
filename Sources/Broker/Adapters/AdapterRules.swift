// SPDX-License-Identifier: Apache-2.0

/// What an adapter makes of its tools' messages.
struct AdapterRules: Sendable, Hashable {
    /// The endpoint's; the usual names count too.
    let loginService: String
    /// Nil for an adapter without a login.
    let login: ToolLogin?
}
