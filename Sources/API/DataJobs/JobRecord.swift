// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A part of a job. One list of its members serves both directions.
package protocol JobRecord: JSONConvertible, Hashable {
    /// Creates a part with the default of every member.
    init()

    /// Passes every member to `coder`.
    ///
    /// - Throws: the error of reading a member. Writing throws nothing.
    mutating func code(with coder: inout JobCoder) throws(JSONShapeError)
}

extension JobRecord {
    package static var jsonShape: JSONShapeError.Shape { .object }

    package init(jsonValue: JSONValue) throws(JSONShapeError) {
        try self.init(json: try JSONObject(jsonValue: jsonValue))
    }

    /// Reads the members of an object.
    ///
    /// - Throws: an error with the path of the first member that is missing or has another shape.
    package init(json: JSONObject) throws(JSONShapeError) {
        self.init()
        var coder = JobCoder(reading: json)
        try code(with: &coder)
    }

    /// The members.
    package var json: JSONObject {
        var copy = self
        var coder = JobCoder()
        try? copy.code(with: &coder)
        return coder.object
    }

    package var jsonValue: JSONValue { .object(json) }
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
        value = try object.read(key) ?? value
    }

    /// A member that may be absent.
    package mutating func member<Value: JSONConvertible>(
        _ key: String,
        ifPresent value: inout Value?
    ) throws(JSONShapeError) {
        guard isReading else { return object[key] = value?.jsonValue }
        value = try object.read(key)
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
