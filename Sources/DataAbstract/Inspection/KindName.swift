// SPDX-License-Identifier: Apache-2.0

import Platform
import Remoting

/// The kinds of messages as documents call them: by name, or by two hexadecimal digits if nobody knows them.
enum KindName {
    static func text(_ kind: MessageKind) -> String {
        switch kind {
        case .message: "message"
        case .exception: "exception"
        case .event: "event"
        case .poll: "poll"
        case .pollResponse: "pollResponse"
        }
    }

    static func text(_ code: UInt8) -> String { HexText.encode([code]) }

    static func code(_ text: String) -> UInt8? {
        if let kind = MessageKind.allCases.first(where: { self.text($0) == text }) { return kind.rawValue }
        guard let code = HexText.decode(text), code.count == 1 else { return nil }
        return code[0]
    }
}
