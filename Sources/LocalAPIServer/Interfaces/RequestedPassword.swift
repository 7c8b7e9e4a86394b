// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Platform
import VarlinkService

/// Password that follows a call. There is no second one.
struct RequestedPassword: PasswordSource {
    let isTried: Bool
    let call: VarlinkCall

    func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret {
        if let refusal { throw refusal }
        return try await call.secret(maximumBytes: SecretLineReader.maximumPasswordBytes)
    }
}

extension VarlinkCall {
    /// Reads a secret that follows the call.
    func secret(maximumBytes: Int) async throws -> Secret {
        let arena = try SecretArena(byteCount: SecretLineReader.maximumPasswordBytes)
        return try await upgraded(maximumBytes: maximumBytes) { bytes in
            try Secret(copying: bytes, in: arena)
        }
    }
}
