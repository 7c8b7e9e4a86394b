// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The parameters of a method call, as a type. `varlink-generate` generates one for each method of an interface.
public protocol VarlinkMethodCall: JSONRecord {
    /// The parameters of a reply.
    associatedtype Reply: JSONRecord

    /// The name with its interface, such as `org.varlink.service.GetInfo`.
    static var method: String { get }
}

/// An error of an interface with its parameters, as a type. If a method throws one, the service sends it as the
/// reply.
public protocol VarlinkErrorRecord: JSONRecord, Error {
    /// The name with its interface, such as `org.varlink.service.MethodNotFound`.
    static var name: String { get }
}

extension VarlinkError {
    /// The error as a reply.
    public init(_ record: some VarlinkErrorRecord) {
        self.init(type(of: record).name, record.json)
    }
}

extension VarlinkErrorRecord {
    /// - Returns: nil if it is another error, or if it lacks a parameter.
    public init?(_ error: VarlinkError) {
        guard error.name == Self.name else { return nil }
        try? self.init(json: error.parameters)
    }
}
