// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import NIOCore
import Remoting

extension Login {
    /// What its permission to be sent depends on.
    var binding: LoginBinding {
        LoginBinding(pin: pin, allowsPlaintext: allowsPlaintext, networkID: networkID)
    }

    /// The LoginEx message; its bytes hold the password and have to be wiped.
    func request(
        to service: String,
        password: UnsafeRawBufferPointer,
        for clientID: ClientID
    ) throws -> ByteBuffer {
        try LoginRequest.encode(
            user: user,
            password: password,
            domain: domain,
            schema: schema,
            service: service,
            clientID: clientID
        )
    }
}
