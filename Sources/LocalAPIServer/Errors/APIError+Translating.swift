// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Registry

extension APIError {
    /// Runs the body of a method; what the rooms below throw reaches the caller as an error of the API.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as UnansweredPrompt {
            guard var known = APIError(known: error.failure) else { throw error.failure }
            known.message += ", and \(error.reason)"
            throw known.varlinkError
        } catch {
            throw APIError(known: error)?.varlinkError ?? error
        }
    }

    /// - Returns: nil for an error that no room below makes.
    private init?(known error: any Error) {
        switch error {
        case let error as RegistryError: self.init(error)
        case let error as ServerURLError: self.init(error)
        case let error as CredentialError: self.init(error)
        case let error as BrokerError: self.init(error)
        case let error as APIError: self = error
        default: return nil
        }
    }

    /// Runs what is about one endpoint, which the hints of its failures then name.
    static func naming<Value>(_ endpoint: EndpointID, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as BrokerError {
            throw APIError(error, at: endpoint)
        }
    }
}
