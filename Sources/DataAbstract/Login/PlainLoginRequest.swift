// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import Remoting

/// The Login call of the two services that take user and password as parameters (docs/wire.md, "Services").
package enum PlainLoginRequest {
    package static let method = "Login"
    package static let simpleService = "SimpleLoginService"
    package static let multiDbService = "MultiDbLoginService"

    /// The whole message, password included: whoever gets it wipes it.
    ///
    /// - Parameters:
    ///   - password: UTF-8; read only during the call.
    ///   - connection: of a MultiDb service; nil for a simple one, which has no such parameter.
    /// - Throws: what `LoginString` refuses in its values.
    package static func encode(
        user: String,
        password: UnsafeRawBufferPointer,
        connection: String? = nil,
        service: String = simpleService,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        try LoginString.check(user.utf8, .user)
        try LoginString.check(password, .password)
        if let connection { try LoginString.check(connection.utf8, .connection) }
        let bytes = user.utf8.count + password.count + (connection?.utf8.count ?? 0)
        var writer = RequestMessage.writer(
            clientID: clientID,
            service: service,
            method: method,
            parameterBytes: 3 * MemoryLayout<Int32>.size + bytes
        )
        writer.write(utf8: user)
        writer.writeCount(password.count)
        let start = writer.buffer.writerIndex
        writer.writeRaw { $0.writeBytes(password) }
        if let connection { writer.write(utf8: connection) }
        return LoginMessage(bytes: writer.buffer, password: start..<(start + password.count))
    }
}
