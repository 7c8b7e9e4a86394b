// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.example.press.varlink. Change that file, then run `make generate`.

import JSON
import Varlink

/// A printing press, for tests: it has everything that the language has.
enum PressAPI {
    /// The interface's name.
    static let name = "org.example.press"

    /// The methods.
    enum Method: Swift.String, Sendable, CaseIterable {
        case print = "org.example.press.Print"
        case count = "org.example.press.Count"
        case keep = "org.example.press.Keep"
        case stop = "org.example.press.Stop"
    }

    /// A word that is declared by name.
    enum Ink: Swift.String, JSONWord {
        case black
        case blue
        case `default`
        case json_ = "json"
    }

    /// A sheet. Its name is that of a type of Swift.
    struct String: JSONRecord {
        enum Size: Swift.String, JSONWord {
            case a4
            case letter
        }

        struct Place: JSONRecord {
            struct Shelf: JSONRecord {
                var row: Int64

                init(row: Int64) {
                    self.row = row
                }

                init(json: JSONObject) throws(JSONShapeError) {
                    self.row = try json.read("row")
                }

                func writeMembers(to output: inout some JSONOutput) {
                    output.writeMember("row", self.row)
                }
            }

            var tray: Swift.String
            var shelf: Shelf?

            init(tray: Swift.String, shelf: Shelf? = nil) {
                self.tray = tray
                self.shelf = shelf
            }

            init(json: JSONObject) throws(JSONShapeError) {
                self.tray = try json.read("tray")
                self.shelf = try json.readIfPresent("shelf")
            }

            func writeMembers(to output: inout some JSONOutput) {
                output.writeMember("tray", self.tray)
                output.writeMember("shelf", ifPresent: self.shelf)
            }
        }

        /// Wide or high.
        /// In millimetres.
        var size: Size
        var weight: Int64?
        /// Where it lies.
        var place: Place
        var ink: PressAPI.Ink
        /// It may have sheets within.
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

        init(json: JSONObject) throws(JSONShapeError) {
            self.size = try json.read("size")
            self.weight = try json.readIfPresent("weight")
            self.place = try json.read("place")
            self.ink = try json.read("ink")
            self.parts = try json.read("parts")
            self.notes = try json.read("notes")
            self.marks = try json.read("marks")
            self.gaps = try json.read("gaps")
            self.share = try json.read("share")
            self.any = try json.read("any")
            self.object = try json.read("object")
            self.`class` = try json.read("class")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("size", self.size)
            output.writeMember("weight", ifPresent: self.weight)
            output.writeMember("place", self.place)
            output.writeMember("ink", self.ink)
            output.writeMember("parts", self.parts)
            output.writeMember("notes", self.notes)
            output.writeMember("marks", self.marks)
            output.writeMember("gaps", self.gaps)
            output.writeMember("share", self.share)
            output.writeMember("any", self.any)
            output.writeMember("object", self.object)
            output.writeMember("class", self.`class`)
        }
    }

    /// A job has the name of a method.
    struct Print: JSONRecord {
        var id: Int64
        var next: [PressAPI.Print]?

        init(id: Int64, next: [PressAPI.Print]? = nil) {
            self.id = id
            self.next = next
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.id = try json.read("id")
            self.next = try json.readIfPresent("next")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("id", self.id)
            output.writeMember("next", ifPresent: self.next)
        }
    }

    /// Prints sheets.
    struct PrintCall: VarlinkMethodCall {
        typealias Reply = PressAPI.PrintReply

        static let method = "org.example.press.Print"

        var sheets: [PressAPI.String]
        var urgent: Bool?

        init(sheets: [PressAPI.String], urgent: Bool? = nil) {
            self.sheets = sheets
            self.urgent = urgent
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.sheets = try json.read("sheets")
            self.urgent = try json.readIfPresent("urgent")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("sheets", self.sheets)
            output.writeMember("urgent", ifPresent: self.urgent)
        }
    }

    /// A reply to `PrintCall`.
    struct PrintReply: JSONRecord {
        var job: PressAPI.Print

        init(job: PressAPI.Print) {
            self.job = job
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.job = try json.read("job")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("job", self.job)
        }
    }

    /// Counts, a reply for each number.
    struct CountCall: VarlinkMethodCall {
        typealias Reply = PressAPI.CountReply

        static let method = "org.example.press.Count"

        var to: Int64

        init(to: Int64) {
            self.to = to
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.to = try json.read("to")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("to", self.to)
        }
    }

    /// A reply to `CountCall`.
    struct CountReply: JSONRecord {
        var number: Int64

        init(number: Int64) {
            self.number = number
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.number = try json.read("number")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("number", self.number)
        }
    }

    /// Takes a secret.
    struct KeepCall: VarlinkMethodCall {
        typealias Reply = PressAPI.KeepReply

        static let method = "org.example.press.Keep"

        var limit: Int64

        init(limit: Int64) {
            self.limit = limit
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.limit = try json.read("limit")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("limit", self.limit)
        }
    }

    /// A reply to `KeepCall`.
    struct KeepReply: JSONRecord {
        var length: Int64

        init(length: Int64) {
            self.length = length
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.length = try json.read("length")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("length", self.length)
        }
    }

    struct StopCall: VarlinkMethodCall {
        typealias Reply = PressAPI.StopReply

        static let method = "org.example.press.Stop"

        init() {}

        init(json: JSONObject) throws(JSONShapeError) {}

        func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A reply to `StopCall`.
    struct StopReply: JSONRecord {
        init() {}

        init(json: JSONObject) throws(JSONShapeError) {}

        func writeMembers(to output: inout some JSONOutput) {}
    }

    /// A sheet is stuck.
    struct JamError: VarlinkErrorRecord {
        /// The interface's name.
        static let name = "org.example.press.Jam"

        var `where`: Swift.String?
        var sheets: [PressAPI.String]

        init(`where`: Swift.String? = nil, sheets: [PressAPI.String]) {
            self.`where` = `where`
            self.sheets = sheets
        }

        init(json: JSONObject) throws(JSONShapeError) {
            self.`where` = try json.readIfPresent("where")
            self.sheets = try json.read("sheets")
        }

        func writeMembers(to output: inout some JSONOutput) {
            output.writeMember("where", ifPresent: self.`where`)
            output.writeMember("sheets", self.sheets)
        }
    }

    struct EmptyError: VarlinkErrorRecord {
        /// The interface's name.
        static let name = "org.example.press.Empty"

        init() {}

        init(json: JSONObject) throws(JSONShapeError) {}

        func writeMembers(to output: inout some JSONOutput) {}
    }

    /// The definition of the interface.
    static let definition = #"""
        # A printing press, for tests: it has everything that the language has.
        interface org.example.press

        # A word that is declared by name.
        type Ink (black, blue, default, json)

        # A sheet. Its name is that of a type of Swift.
        type String (
          # Wide or high.
          # In millimetres.
          size: (a4, letter),
          weight: ?int,
          # Where it lies.
          place: (tray: string, shelf: ?(row: int)),
          ink: Ink,
          # It may have sheets within.
          parts: []String,
          notes: [string]?string,
          marks: [string](),
          gaps: []?int,
          share: float,
          any: any,
          object: object,
          class: bool
        )

        # A job has the name of a method.
        type Print (id: int, next: ?[]Print)

        # Prints sheets.
        method Print(sheets: []String, urgent: ?bool) -> (job: Print)

        # Counts, a reply for each number.
        method Count(to: int) -> (number: int)

        # Takes a secret.
        method Keep(limit: int) -> (length: int)

        method Stop() -> ()

        # A sheet is stuck.
        error Jam (where: ?string, sheets: []String)

        error Empty ()

        """#
}
