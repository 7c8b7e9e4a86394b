// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A part of a job. One list of its members serves both directions.
package protocol JobRecord: JSONRecord {
    /// Creates a part with the default of every member.
    init()

    /// Passes every member to `coder`.
    ///
    /// - Throws: the error of reading a member. Writing throws nothing.
    mutating func code(with coder: inout JobCoder) throws(JSONShapeError)
}

extension JobRecord {
    package init(json: JSONObject) throws(JSONShapeError) {
        self.init()
        var coder = JobCoder(reading: json)
        try code(with: &coder)
    }

    package func writeMembers(to output: inout some JSONOutput) {
        var copy = self
        var coder = JobCoder()
        try? copy.code(with: &coder)
        for (key, value) in coder.object { output.writeMember(key, value) }
    }
}

/// Reads or writes the members of a `JobRecord`.
package struct JobCoder {
    fileprivate private(set) var object: JSONObject
    private let isReading: Bool

    fileprivate init(reading object: JSONObject) {
        self.object = object
        isReading = true
    }

    fileprivate init() {
        object = [:]
        isReading = false
    }

    /// A member with a default, which it keeps if the object lacks the member.
    package mutating func member(
        _ key: String,
        _ value: inout some JSONConvertible
    ) throws(JSONShapeError) {
        guard isReading else { return object[key] = value.jsonValue }
        value = try object.readIfPresent(key) ?? value
    }

    /// A member that may be absent.
    package mutating func member<Value: JSONConvertible>(
        _ key: String,
        ifPresent value: inout Value?
    ) throws(JSONShapeError) {
        guard isReading else { return object[key] = value?.jsonValue }
        value = try object.readIfPresent(key)
    }

    /// A member that the object must have.
    package mutating func member(
        _ key: String,
        required value: inout some JSONConvertible
    ) throws(JSONShapeError) {
        guard isReading else { return object[key] = value.jsonValue }
        value = try object.read(key)
    }
}
