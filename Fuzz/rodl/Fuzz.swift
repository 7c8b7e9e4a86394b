// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

/// A RODL file: types are resolved, or an error says why not.
@main
enum RODLFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        guard let file = try? RODLFile(parsing: text) else { return }
        for method in ["Order", "Odd", "Loop", "Ping"] {
            _ = try? file.signature(of: method, service: "ShopService")
            _ = try? file.signature(of: method, service: "")
        }
    }
}
