// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocalAPI
import Varlink

/// A program that runs with an adapter of its own.
enum AdapterProgram {
    /// Opens an adapter, runs a program with it, and exits as the program does.
    ///
    /// - Returns: never, unless the adapter was not opened, which throws.
    static func run(_ program: [String], _ call: BrokerAPI.OpenCall) throws {
        var status = ExitStatus.failed.rawValue
        // The adapter lives as long as the connection, which ends with this process, however that ends.
        try DaemonClient().stream(call, firstWithin: DaemonClient.ofPerson) { reply in
            do {
                let variables = AdapterVariables(of: reply.adapter).all
                status = try RunningProgram(program, variables: variables).waitForEnd()
            } catch let error as ProgramNotStarted {
                error.report()
            }
            return .stop
        }
        exit(status)
    }
}
