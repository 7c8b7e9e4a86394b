// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@Suite("Errors of the API")
struct DaemonErrorTests {
    @Test("an error survives the conversion to Varlink", arguments: DaemonError.Code.allCases)
    func roundTrip(code: DaemonError.Code) throws {
        let sent = VarlinkError(code.rawValue, try Self.parameters(of: code))
        let error = try #require(DaemonError(sent))
        #expect(error.code == code)
        #expect(error.reply == sent)
        #expect(error.message == "m" && "\(error)" == "m")
    }

    @Test("errors of other interfaces are not converted, and an error without a message shows its name")
    func others() {
        #expect(DaemonError(VarlinkError.permissionDenied) == nil)
        let name = "org.relativityd.Manager.Failed"
        #expect(DaemonError(VarlinkError(name))?.message == name)
        #expect(DaemonError(.failed).code == .failed && DaemonError(.failed).endpoint == nil)
    }

    @Test("a function for an error leaves out parameters that are nil")
    func parameters() {
        #expect(DaemonError.endpointUnreachable(message: "m").parameters == ["message": "m"])
        let error = DaemonError.endpointAmbiguous(message: "m", endpoint: "x", candidates: ["a", "b"])
        #expect(error.parameters == ["message": "m", "endpoint": "x", "candidates": ["a", "b"]])
        #expect(error.endpoint == "x" && error.candidates == ["a", "b"] && error.limit == nil)
    }

    /// One value for each member that the description has.
    private static func parameters(of code: DaemonError.Code) throws -> JSONObject {
        for text in InterfaceText.all {
            let description = try VarlinkDescription(parsing: text)
            for error in description.errors where "\(description.name).\(error.name)" == code.rawValue {
                guard case .struct(let fields) = error.type else { continue }
                var parameters = JSONObject()
                for field in fields { parameters[field.name] = value(of: field.type) }
                parameters["message"] = "m"
                return parameters
            }
        }
        return [:]
    }

    private static func value(of type: VarlinkType) -> JSONValue? {
        switch type {
        case .bool: true
        case .int: 7
        case .string: "s"
        case .maybe(let inner): value(of: inner)
        case .array(let inner): value(of: inner).map { .array([$0, $0]) }
        case .enum(let words): words.last.map { .string($0) }
        default: nil
        }
    }
}
