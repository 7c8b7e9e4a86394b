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
        } catch let error as RegistryError {
            throw APIError(error).varlinkError
        } catch let error as ServerURLError {
            throw APIError(error).varlinkError
        } catch let error as CredentialError {
            throw APIError(error).varlinkError
        } catch let error as BrokerError {
            throw APIError(error).varlinkError
        } catch let error as APIError {
            throw error.varlinkError
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
