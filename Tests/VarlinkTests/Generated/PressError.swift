// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.example.press

import Varlink

/// An error of one of the interfaces.
enum PressError: Error, Hashable {
    /// A sheet is stuck.
    case jam(PressAPI.JamError)
    case empty(PressAPI.EmptyError)

    /// The name of an error, with its interface.
    enum Code: String, Sendable, CaseIterable {
        case jam = "org.example.press.Jam"
        case empty = "org.example.press.Empty"
    }

    /// - Returns: nil for an error of another interface, and for one that lacks a parameter.
    init?(_ error: VarlinkError) {
        switch Code(rawValue: error.name) {
        case .jam?:
            guard let record = PressAPI.JamError(error) else { return nil }
            self = .jam(record)
        case .empty?:
            guard let record = PressAPI.EmptyError(error) else { return nil }
            self = .empty(record)
        case nil: return nil
        }
    }

    /// The name.
    var code: Code {
        switch self {
        case .jam: .jam
        case .empty: .empty
        }
    }

    /// The parameters.
    var record: any VarlinkErrorRecord {
        switch self {
        case .jam(let record): record
        case .empty(let record): record
        }
    }
}
