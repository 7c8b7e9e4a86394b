// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform

extension AdapterCommand.Open {
    /// Makes a session for whoever reads the output. Asked for each time, since what is handed out cannot be taken back
    /// from those who have read it.
    func openSession() throws {
        guard yesExport || Question.isYes("Hand out a session, which works like a password while it lasts?") else {
            throw Failure(.usage, "nothing was handed out: a script says --yes-export")
        }
        let call = BrokerAPI.OpenSessionCall(endpoint: endpoint, login: try loginName(), ttlSeconds: ttl?.seconds)
        let clientID = try Secret(randomBytes: 16, in: try SecretArena())
        let reply = try clientID.withBytes { bytes in
            try output.client("logging in").call(
                call,
                secrets: [bytes],
                within: DaemonClient.ofPerson
            )
        }
        let adapter = reply.adapter
        Terminal.write(
            Facts([
                "adapter": adapter.id,
                "url": adapter.url,
                "login": adapter.login,
                "data service": adapter.dataService,
                "login service": adapter.loginService,
            ]).text
        )
        clientID.withBytes { Self.write(clientID: $0) }
    }

    /// One line of hexadecimal digits, in the order of the wire, without a copy that stays.
    private static func write(clientID: UnsafeRawBufferPointer) {
        let digits = Array("0123456789abcdef".utf8)
        var line = Array("client id:     ".utf8)
        line.reserveCapacity(line.count + 2 * clientID.count + 1)
        for byte in clientID { line += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        line.append(UInt8(ascii: "\n"))
        Terminal.write(line)
        line.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
        }
    }
}
