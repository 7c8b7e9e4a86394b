// SPDX-License-Identifier: Apache-2.0

/// What a caller knows already of a login that a person is asked for.
package struct LoginOutline: Sendable, Hashable {
    /// nil asks for it.
    package var user: String?
    /// nil takes what is usual for the endpoint.
    package var domain: String?
    package var schema: String?

    package init(user: String? = nil, domain: String? = nil, schema: String? = nil) {
        self.user = user
        self.domain = domain
        self.schema = schema
    }
}
