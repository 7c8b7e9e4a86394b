// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The kept tables of the user: a directory with a briefcase for each endpoint and data service.
package struct JobKept: JobRecord {
    /// The directory; empty if the job does not use it.
    package var directory = ""
    /// The ID or the name of the endpoint whose tables the job uses.
    package var endpoint = ""
    /// The name of the data service; nil for the usual one of the endpoint, or that of the schema.
    package var service: String?
    /// The part of the service's name after the usual one and a dot.
    package var schema: String?

    /// Creates a job that does not use kept tables.
    package init() {}

    package mutating func code(with coder: inout JobCoder) throws(JSONShapeError) {
        try coder.member("directory", &directory)
        try coder.member("endpoint", &endpoint)
        try coder.member("service", ifPresent: &service)
        try coder.member("schema", ifPresent: &schema)
    }
}
