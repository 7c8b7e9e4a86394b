// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The parameters of one method's call, as a type. `varlink-generate` makes one for each method of an interface.
public protocol VarlinkMethodCall: JSONRecord {
    /// The parameters of a reply.
    associatedtype Reply: JSONRecord

    /// With its interface, such as `org.varlink.service.GetInfo`.
    static var method: String { get }
}

/// An error of an interface with its parameters, as a type. A method that throws one answers with it.
public protocol VarlinkErrorRecord: JSONRecord, Error {
    /// With its interface, such as `org.varlink.service.MethodNotFound`.
    static var name: String { get }
}

extension VarlinkError {
    public init(_ record: some VarlinkErrorRecord) {
        self.init(type(of: record).name, record.json)
    }
}

extension VarlinkErrorRecord {
    /// - Returns: nil if it is another error, or lacks a parameter.
    public init?(_ error: VarlinkError) {
        guard error.name == Self.name else { return nil }
        try? self.init(json: error.parameters)
    }
}
