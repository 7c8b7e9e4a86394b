// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.example.press

import JSON
import Varlink

/// An error of one of the interfaces. Their definitions describe them.
struct PressError: VarlinkFault {
    enum Code: String, Sendable, CaseIterable {
        case jam = "org.example.press.Jam"
        case empty = "org.example.press.Empty"
    }

    let code: Code
    let parameters: JSONObject

    init(_ code: Code, _ parameters: JSONObject) {
        self.code = code
        self.parameters = parameters
    }
}

extension PressError {
    static func jam(`where`: Swift.String? = nil, sheets: [PressAPI.String]) -> PressError {
        PressError(.jam, ("where", `where`), ("sheets", sheets))
    }
    static func empty() -> PressError {
        PressError(.empty)
    }
}

/// The parameters; nil for an error without the parameter.
extension PressError {
    var sheets: [PressAPI.String]? { read("sheets") }
    var `where`: Swift.String? { read("where") }
}
