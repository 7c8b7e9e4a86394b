// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.example.press.varlink. Change that file, then run `make generate`.

import Varlink
import VarlinkService

/// Carries out the methods of `org.example.press`. Its definition describes them.
protocol PressAPIServer: VarlinkInterface {
    func print(_ call: TypedCall<PressAPI.PrintCall>) async throws
    func count(_ call: TypedCall<PressAPI.CountCall>) async throws
    func keep(_ call: TypedCall<PressAPI.KeepCall>) async throws
    func stop(_ call: TypedCall<PressAPI.StopCall>) async throws
}

extension PressAPIServer {
    var name: String { PressAPI.name }

    var description: String { PressAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Print": try await self.print(try TypedCall(call))
        case "Count": try await self.count(try TypedCall(call))
        case "Keep": try await self.keep(try TypedCall(call))
        case "Stop": try await self.stop(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
