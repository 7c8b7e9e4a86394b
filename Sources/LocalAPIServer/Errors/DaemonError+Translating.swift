// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import JSON
import LocalAPI
import Registry
import Varlink

extension DaemonError {
    /// Runs the body of a method. Errors of the rooms below reach the caller as errors of the API.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as UnansweredPrompt {
            guard let known = DaemonError(known: error.failure) else { throw error.failure }
            var parameters = known.record.json
            parameters["message"] = .string("\(known.message), and \(error.reason)")
            throw VarlinkError(known.code.rawValue, parameters)
        } catch {
            throw DaemonError(known: error)?.record ?? error
        }
    }

    /// - Returns: nil for an error that no room below makes.
    private init?(known error: any Error) {
        switch error {
        case let error as RegistryError: self.init(error)
        case let error as ServerURLError: self.init(error)
        case let error as CredentialError: self.init(error)
        case let error as BrokerError: self.init(error)
        case let error as DaemonError: self = error
        default: return nil
        }
    }

    /// Runs work that is about one endpoint, which its errors then name.
    ///
    /// - Parameter endpoint: looked up after a failure only.
    static func naming<Value>(
        _ endpoint: @autoclosure () async -> EndpointID?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as BrokerError {
            throw DaemonError(error, at: await endpoint())
        }
    }
}
