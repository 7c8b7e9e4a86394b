// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting
import TestSupport

/// The messages among the test vectors of the vendor's client.
enum VendorMessages {
    struct Message {
        let name: String
        let bytes: ByteBuffer

        /// False for vectors that must be rejected.
        var isMessage: Bool { (try? BinMessage(decoding: bytes)) != nil }
        var isCompressed: Bool { bytes.getInteger(at: 5, as: UInt8.self) == 1 }
    }

    static func all() throws -> [Message] {
        try TableVector.entries().compactMap { entry in
            guard ["bin-request", "bin-response"].contains(try entry.string("kind")) else { return nil }
            let bytes = try HexText.decode(entry.string("hex")).unwrapped
            return Message(name: try entry.string("name"), bytes: ByteBuffer(bytes: bytes))
        }
    }
}

extension Optional {
    struct IsNil: Error {}

    /// The value, for test data that must be present.
    var unwrapped: Wrapped {
        get throws {
            guard let self else { throw IsNil() }
            return self
        }
    }
}
