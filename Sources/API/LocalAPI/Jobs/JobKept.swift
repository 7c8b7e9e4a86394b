// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The kept tables of the user: a directory with a briefcase for each endpoint and data service.
package struct JobKept: JSONRecord {
    /// When a job uses kept tables instead of the server.
    package enum Use: String, JSONWord {
        /// Only if the job is about kept tables.
        case never
        /// If the server cannot be reached.
        case fallback
        /// Without the server.
        case always
    }

    /// The ID or the name of the endpoint whose tables the job uses.
    package var endpoint = ""
    /// The name of the data service; nil for the usual one of the endpoint, or that of the schema.
    package var service: String?
    /// The part of the service's name after the usual one and a dot.
    package var schema: String?
    /// When the job uses kept tables.
    package var use = Use.never
    /// The reason why the server could not be reached, so that the job has no adapter; nil to try it.
    package var failure: String?

    /// Creates a job that does not use kept tables.
    package init() {}

    package static let members: [JSONMember<Self>] = [
        .init("endpoint", \.endpoint), .init("service", \.service), .init("schema", \.schema), .init("use", \.use),
        .init("failure", \.failure),
    ]
}
