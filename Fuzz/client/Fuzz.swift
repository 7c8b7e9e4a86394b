// SPDX-License-Identifier: Apache-2.0

import Documents
import Fuzzing

/// `.relativityClient` files: the result is bounded, has no control characters, and survives writing and parsing.
@main
enum ClientFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        for isUTF8 in [false, true] {
            guard var file = try? RelativityClientFile(parsing: bytes, isUTF8: isUTF8) else { continue }
            let values = [file.serverName, file.serverURI, file.domain, file.schema, file.adminUser, file.dataUser]
            for value in values.compactMap(\.self) {
                let isPlain = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                guard isPlain, value.utf8.count <= 2_048 else { fatalError("a value is out of bounds") }
            }
            (file.adminUser, file.dataUser) = (nil, nil)
            guard (try? RelativityClientFile(parsing: Array(file.xml.utf8))) == file else {
                fatalError("a file does not read back")
            }
        }
    }
}
