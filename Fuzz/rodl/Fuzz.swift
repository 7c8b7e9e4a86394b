// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

/// A RODL file, as XML or JSON in any encoding: types are resolved, or an error says why not.
@main
enum RODLFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let file = try? RODLFile(file: Array(input)) else { return }
        _ = try? file.services()
        _ = try? file.calls()
        for method in ["Order", "Odd", "Loop", "Ping"] {
            _ = try? file.signature(of: method, service: "ShopService")
            _ = try? file.signature(of: method, service: "")
        }
    }
}
