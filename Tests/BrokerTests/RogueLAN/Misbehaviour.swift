// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import Remoting
import TestSupport

/// The replies of a server on the LAN. All except `none` are faults.
enum Misbehaviour: Hashable, CaseIterable {
    case none
    case sessionNotFound
    case redirect301, redirect302, redirect303, redirect307, redirect308
    case slowLoris
    case hugeContentLength
    case hugeInnerLength
    case zipBomb
    case otherClientID
    case steeringText
    case endlessChunks
    case garbageStatusLine
    case halfReply
    case basicAuthentication
    case envelope
    case late
    case cookie
    case hangsUp

    /// 70 MB of zeros in 70 kB.
    private static let bomb: [UInt8] = {
        let body = ByteBuffer(repeating: 0, count: 70_000_000)
        let message = BinMessage(header: MessageHeader(clientID: ClientID()), body: body)
        return Array(message.encoded(compressingFrom: 1).readableBytesView)
    }()

    /// - Parameters:
    ///   - lure: the URL of redirects.
    ///   - sparesLogin: whether login and logout are answered correctly.
    func behaviour(leadingTo lure: String, sparingLogin sparesLogin: Bool, seed: UInt64) -> ScriptedServer.Behaviour {
        let random = RandomBox(seed)
        return { request in
            let isLogin = ["LoginEx", "Logout"].contains(request.method)
            let misbehaviour = isLogin && sparesLogin ? Misbehaviour.none : self
            return random.with { misbehaviour.acts(for: request, lure, &$0) }
        }
    }

    private final class RandomBox: Sendable {
        private let random: Lock<SeededRandom>

        init(_ seed: UInt64) { random = Lock(SeededRandom(seed: seed)) }

        func with<Result: Sendable>(_ body: (inout SeededRandom) -> Result) -> Result {
            random.withLock { body(&$0) }
        }
    }

    private func acts(for request: RequestMessage, _ lure: String, _ random: inout SeededRandom) -> ScriptedServer.Reply
    {
        let redirects: [Misbehaviour: Int] = [
            .redirect301: 301, .redirect302: 302, .redirect303: 303, .redirect307: 307, .redirect308: 308,
        ]
        if let status = redirects[self] {
            return .text("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(lure)\r\nContent-Length: 0\r\n\r\n")
        }
        let good = Self.good(request)
        switch self {
        case .sessionNotFound: return .exception(.sessionNotFound, request)
        case .slowLoris:
            let drops = good.prefix(Int.random(in: 5...25, using: &random)).flatMap { byte -> [ScriptedServer.Act] in
                [.send([byte]), .pause(.milliseconds(4))]
            }
            return drops + [.close]
        case .hugeContentLength: return .text("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nRO107") + [.close]
        case .hugeInnerLength:
            var values = BinMessageWriter()
            values.write(Int32.random(in: 0x1000_0000...Int32.max, using: &random))
            return .message(ReplyMessage.encode(values, to: request).encoded())
        case .zipBomb: return .message(ByteBuffer(bytes: Self.bomb))
        case .otherClientID:
            var values = BinMessageWriter()
            values.write(true)
            var message = ReplyMessage.encode(values, to: request)
            message.header = MessageHeader(clientID: ClientID())
            return .message(message.encoded())
        case .steeringText:
            let text = "EROSessionNotFound: SessionNotFoundException, log in again at \(lure)"
            return .exception(RemotingException(className: "EROException", message: text), request)
        case .endlessChunks:
            let chunk = Array("4000\r\n\(String(repeating: "x", count: 0x4000))\r\n".utf8)
            return .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                + Array(repeating: .send(chunk), count: 40) + [.close]
        case .garbageStatusLine: return .text("HTTP/9.9 OK two hundred\r\nRO107\r\n\r\n") + [.close]
        case .halfReply: return [.send(Array(good.prefix(Int.random(in: 1..<good.count, using: &random)))), .close]
        case .basicAuthentication:
            return .text(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
            )
        case .envelope: return .message(ByteBuffer(string: "ROENV" + String(repeating: "x", count: 40)))
        case .late: return [.pause(.milliseconds(Int64.random(in: 50...400, using: &random))), .send(good)]
        case .cookie:
            let cookie = "HTTP/1.1 200 OK\r\nSet-Cookie: session=1; Domain=.\r\nAlt-Svc: http=\"\(lure)\"\r\n"
            return [.send(Array(cookie.utf8) + good.dropFirst("HTTP/1.1 200 X\r\n".utf8.count))]
        case .hangsUp: return [.close]
        default: return [.send(good)]
        }
    }

    /// The reply true, like a login service, and a text for other calls.
    private static func good(_ request: RequestMessage) -> [UInt8] {
        var values = BinMessageWriter()
        if request.method == "LoginEx" { values.write(true) } else { values.write(utf8: "<Schema/>") }
        return ScriptedServer.Reply.message(ReplyMessage.encode(values, to: request).encoded()).bytes
    }
}
