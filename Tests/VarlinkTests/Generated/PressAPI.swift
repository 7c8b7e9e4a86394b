// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.example.press.varlink. Change that file, then run `make generate`.

import JSON
import Varlink

/// The types of `org.example.press`. Its definition describes them.
enum PressAPI {
    static let name = "org.example.press"

    enum Method: Swift.String, Sendable, CaseIterable {
        case print = "org.example.press.Print"
        case count = "org.example.press.Count"
        case keep = "org.example.press.Keep"
        case stop = "org.example.press.Stop"
    }

    enum Ink: Swift.String, JSONWord {
        case black, blue, `default`, json_ = "json"
    }

    struct String: JSONRecord {
        enum Size: Swift.String, JSONWord {
            case a4, letter
        }

        struct Place: JSONRecord {
            struct Shelf: JSONRecord {
                var row: Int64

                init(row: Int64) {
                    self.row = row
                }

                static let members: [JSONMember<Self>] = [.init("row", \.row)]
            }

            var tray: Swift.String
            var shelf: Shelf?

            init(tray: Swift.String, shelf: Shelf? = nil) {
                self.tray = tray
                self.shelf = shelf
            }

            static let members: [JSONMember<Self>] = [.init("tray", \.tray), .init("shelf", \.shelf)]
        }

        var size: Size
        var weight: Int64?
        var place: Place
        var ink: PressAPI.Ink
        var parts: [PressAPI.String]
        var notes: [Swift.String: Swift.String?]
        var marks: [Swift.String: JSONObject]
        var gaps: [Int64?]
        var share: Double
        var any: JSONValue
        var object: JSONObject
        var `class`: Bool

        init(
            size: Size,
            weight: Int64? = nil,
            place: Place,
            ink: PressAPI.Ink,
            parts: [PressAPI.String],
            notes: [Swift.String: Swift.String?],
            marks: [Swift.String: JSONObject],
            gaps: [Int64?],
            share: Double,
            any: JSONValue,
            object: JSONObject,
            `class`: Bool
        ) {
            self.size = size
            self.weight = weight
            self.place = place
            self.ink = ink
            self.parts = parts
            self.notes = notes
            self.marks = marks
            self.gaps = gaps
            self.share = share
            self.any = any
            self.object = object
            self.`class` = `class`
        }

        static let members: [JSONMember<Self>] = [
            .init("size", \.size), .init("weight", \.weight), .init("place", \.place), .init("ink", \.ink),
            .init("parts", \.parts), .init("notes", \.notes), .init("marks", \.marks), .init("gaps", \.gaps),
            .init("share", \.share), .init("any", \.any), .init("object", \.object), .init("class", \.`class`),
        ]
    }

    struct Print: JSONRecord {
        var id: Int64
        var next: [PressAPI.Print]?

        init(id: Int64, next: [PressAPI.Print]? = nil) {
            self.id = id
            self.next = next
        }

        static let members: [JSONMember<Self>] = [.init("id", \.id), .init("next", \.next)]
    }

    struct PrintCall: VarlinkMethodCall {
        typealias Reply = PressAPI.PrintReply

        static let method = "org.example.press.Print"

        var sheets: [PressAPI.String]
        var urgent: Bool?

        init(sheets: [PressAPI.String], urgent: Bool? = nil) {
            self.sheets = sheets
            self.urgent = urgent
        }

        static let members: [JSONMember<Self>] = [.init("sheets", \.sheets), .init("urgent", \.urgent)]
    }

    struct PrintReply: JSONRecord {
        var job: PressAPI.Print

        init(job: PressAPI.Print) {
            self.job = job
        }

        static let members: [JSONMember<Self>] = [.init("job", \.job)]
    }

    struct CountCall: VarlinkMethodCall {
        typealias Reply = PressAPI.CountReply

        static let method = "org.example.press.Count"

        var to: Int64

        init(to: Int64) {
            self.to = to
        }

        static let members: [JSONMember<Self>] = [.init("to", \.to)]
    }

    struct CountReply: JSONRecord {
        var number: Int64

        init(number: Int64) {
            self.number = number
        }

        static let members: [JSONMember<Self>] = [.init("number", \.number)]
    }

    struct KeepCall: VarlinkMethodCall {
        typealias Reply = PressAPI.KeepReply

        static let method = "org.example.press.Keep"

        var limit: Int64

        init(limit: Int64) {
            self.limit = limit
        }

        static let members: [JSONMember<Self>] = [.init("limit", \.limit)]
    }

    struct KeepReply: JSONRecord {
        var length: Int64

        init(length: Int64) {
            self.length = length
        }

        static let members: [JSONMember<Self>] = [.init("length", \.length)]
    }

    struct StopCall: VarlinkMethodCall {
        typealias Reply = PressAPI.StopReply

        static let method = "org.example.press.Stop"

        init() {}

        static let members: [JSONMember<Self>] = []
    }

    struct StopReply: JSONRecord {
        init() {}

        static let members: [JSONMember<Self>] = []
    }
}
