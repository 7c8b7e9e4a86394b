// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import Remoting

/// The LoginEx call of a Data Abstract login service.
package enum LoginRequest {
    package static let method = "LoginEx"

    /// The whole message, password included: whoever gets it wipes it.
    ///
    /// - Parameters:
    ///   - password: UTF-8; read only during the call.
    ///   - schema: nil leaves the field out.
    /// - Throws: what `LoginString` refuses.
    package static func encode(
        user: String,
        password: UnsafeRawBufferPointer,
        domain: String,
        schema: String?,
        service: String = LoginService.defaultName,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        let login = try LoginString(user: user, domain: domain, schema: schema)
        return try encode(login, password: password, service: service, clientID: clientID)
    }

    /// The same from a login string with another key for the user, or with further keys.
    package static func encode(
        _ login: LoginString,
        password: UnsafeRawBufferPointer,
        service: String = LoginService.defaultName,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        let count = login.byteCount(password: password)
        var writer = RequestMessage.writer(
            clientID: clientID,
            service: service,
            method: method,
            parameterBytes: MemoryLayout<Int32>.size + count
        )
        writer.writeCount(count)
        // Taken out of the writer, so that writing the password copies nothing.
        var message = writer.buffer
        writer = BinMessageWriter()
        let start = message.writerIndex
        try login.write(password: password, to: &message)
        let place = login.passwordRange(of: password)
        return LoginMessage(bytes: message, password: (start + place.lowerBound)..<(start + place.upperBound))
    }
}
