// SPDX-License-Identifier: Apache-2.0

/// A JSON object with known members. Unknown members are ignored when it is read.
public protocol JSONRecord: JSONConvertible, Hashable {
    /// The members, in the order in which they are written. Each stored property must be in the list, once.
    static var members: [JSONMember<Self>] { get }
}

/// A member of a record: its key and the stored property with its value.
public struct JSONMember<Record>: Sendable {
    let key: String
    private let offset: Int
    private let initialize: @Sendable (UnsafeMutableRawPointer, JSONValue?) throws(JSONShapeError) -> Void
    private let deinitialize: @Sendable (UnsafeMutableRawPointer) -> Void
    private let tree: @Sendable (UnsafeRawPointer) -> JSONValue?
    private let write: @Sendable (UnsafeRawPointer, String, inout JSONWriter) -> Void

    /// Creates a member.
    ///
    /// - Parameter property: a stored property.
    @inlinable
    public init<Value: JSONConvertible>(_ key: String, _ property: KeyPath<Record, Value>) {
        guard let offset = MemoryLayout<Record>.offset(of: property) else {
            preconditionFailure("the member \(key) is no stored property")
        }
        self.init(
            key: key,
            offset: offset,
            initialize: { (memory, json) throws(JSONShapeError) in
                memory.initializeMemory(as: Value.self, to: try Value(member: json))
            },
            deinitialize: { memory in
                memory.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
            },
            tree: { memory in
                let value = memory.assumingMemoryBound(to: Value.self)
                guard !value.pointee.isAbsent else { return nil }
                return value.pointee.jsonValue
            },
            write: { memory, key, output in
                let value = memory.assumingMemoryBound(to: Value.self)
                if !value.pointee.isAbsent { output.writeMember(key, value.pointee) }
            }
        )
    }

    @usableFromInline
    init(
        key: String,
        offset: Int,
        initialize: @escaping @Sendable (UnsafeMutableRawPointer, JSONValue?) throws(JSONShapeError) -> Void,
        deinitialize: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
        tree: @escaping @Sendable (UnsafeRawPointer) -> JSONValue?,
        write: @escaping @Sendable (UnsafeRawPointer, String, inout JSONWriter) -> Void
    ) {
        self.key = key
        self.offset = offset
        self.initialize = initialize
        self.deinitialize = deinitialize
        self.tree = tree
        self.write = write
    }

    /// Reads the member into a record of which it is not initialized yet.
    fileprivate func read(_ json: JSONValue?, into record: UnsafeMutableRawPointer) throws(JSONShapeError) {
        do {
            try initialize(record + offset, json)
        } catch {
            throw error.nested(under: key)
        }
    }

    fileprivate func remove(from record: UnsafeMutableRawPointer) { deinitialize(record + offset) }

    fileprivate func value(in record: UnsafeRawPointer) -> JSONValue? { tree(record + offset) }

    fileprivate func write(_ record: UnsafeRawPointer, to output: inout JSONWriter) {
        write(record + offset, key, &output)
    }
}

extension JSONRecord {
    public static var jsonShape: JSONShapeError.Shape { .object }

    public init(jsonValue: JSONValue) throws(JSONShapeError) {
        try self.init(json: try JSONObject(jsonValue: jsonValue))
    }

    /// Reads the members of an object.
    ///
    /// - Throws: an error with the path of the first member that is missing or has another shape.
    public init(json: JSONObject) throws(JSONShapeError) {
        let record = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        defer { record.deallocate() }
        let members = Self.members
        var position = 0
        for index in members.indices {
            do {
                try members[index].read(json.value(of: members[index].key, near: &position), into: record)
            } catch {
                for member in members[..<index] { member.remove(from: record) }
                throw error
            }
        }
        assert(Mirror(reflecting: record.pointee).children.count == members.count)
        self = record.move()
    }

    /// The record as a tree.
    public var json: JSONObject {
        withUnsafePointer(to: self) { record in
            var members: [JSONObject.Member] = []
            members.reserveCapacity(Self.members.count)
            for member in Self.members {
                guard let value = member.value(in: record) else { continue }
                members.append(JSONObject.Member(key: member.key, value: value))
            }
            return JSONObject(unchecked: members)
        }
    }

    public var jsonValue: JSONValue { .object(json) }

    public func write(to output: inout JSONWriter) {
        withUnsafePointer(to: self) { record in
            output.writeObject { object in
                for member in Self.members { member.write(record, to: &object) }
            }
        }
    }
}

extension JSONObject {
    /// The value of a member. The search begins after the last one that was found: most writers keep the order of the
    /// members.
    fileprivate func value(of key: String, near position: inout Int) -> JSONValue? {
        for index in position..<members.count where members[index].key.hasSameBytes(as: key) {
            position = index + 1
            return members[index].value
        }
        for index in 0..<position where members[index].key.hasSameBytes(as: key) {
            position = index + 1
            return members[index].value
        }
        return nil
    }
}
