// SPDX-License-Identifier: Apache-2.0

/// The parts of a new login that the caller already knows.
package struct LoginOutline: Sendable, Hashable {
    /// Nil prompts for the user name.
    package var user: String?
    /// Nil uses the endpoint's default.
    package var domain: String?
    /// Nil uses the endpoint's default.
    package var schema: String?

    /// By default the prompt asks for the user name.
    package init(user: String? = nil, domain: String? = nil, schema: String? = nil) {
        self.user = user
        self.domain = domain
        self.schema = schema
    }
}
