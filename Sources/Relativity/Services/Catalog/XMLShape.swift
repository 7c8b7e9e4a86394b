// SPDX-License-Identifier: Apache-2.0

import Documents

/// The structure of an XML text: its elements and the names of their attributes, without any content.
package enum XMLShape {
    /// Returns one line for each kind of element: its path, its attributes and its number of occurrences. Returns nil
    /// if the text is not XML.
    ///
    /// Reading stops at a document type, and beyond 32 levels, 256 kinds or 131,072 elements; then the last line says
    /// so. A line has at most 1,024 bytes and 16 attributes. All lines together have at most 16 KiB.
    package static func lines(of xml: String) -> [String]? {
        ShapeReader().read(xml)
    }
}

private final class ShapeReader: XMLHandler {
    /// The rest of the document is not read.
    private struct Cut: Error {}

    private struct NoXML: Error {}

    /// An element with a certain path and set of attributes. The text of its line is built once, not for each
    /// element.
    private struct Kind: Hashable {
        let parent: Int?
        let text: String
    }

    private static let depth = 32
    private static let paths = 256
    private static let nameBytes = 64
    private static let attributes = 16
    private static let elements = 1 << 17
    private static let lineBytes = 1_024
    private static let textBytes = 16 << 10

    /// In the order of their first appearance.
    private var kinds: [(kind: Kind, name: String, count: Int)] = []
    private var numbers: [Kind: Int] = [:]
    private var open: [Int] = []
    private var read = 0
    private var isCut = false

    func read(_ xml: String) -> [String]? {
        do {
            try XMLReader().read(xml, for: self)
        } catch {
            guard error is Cut else { return nil }
            isCut = true
        }
        let lines = lines()
        return lines + (isCut ? ["and more that was not read"] : [])
    }

    func error(for fault: XMLFault) -> any Error {
        if case .documentType = fault { Cut() } else { NoXML() }
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        read += 1
        guard open.count < Self.depth, read <= Self.elements else { throw Cut() }
        let names = attributes.prefix(Self.attributes).map { "@" + Self.shortened($0.name) }
        let own = Self.shortened(name)
        let kind = Kind(parent: open.last, text: ([own] + names.sorted()).joined(separator: " "))
        let number = numbers[kind] ?? kinds.count
        if number == kinds.count {
            guard kinds.count < Self.paths else { throw Cut() }
            numbers[kind] = number
            kinds.append((kind, own, 0))
        }
        kinds[number].count += 1
        open.append(number)
    }

    func append(_ text: UnsafeRawBufferPointer) {}

    func end() { open.removeLast() }

    /// Merges elements of the same path and attributes into one line, even if their parents differ in attributes.
    private func lines() -> [String] {
        var paths: [String] = []
        var counts: [String: Int] = [:]
        var order: [String] = []
        for (kind, name, count) in kinds {
            let above = kind.parent.map { paths[$0] + "/" } ?? ""
            paths.append(above + name)
            let line = String(decoding: (above + kind.text).utf8.prefix(Self.lineBytes), as: UTF8.self)
            if counts[line] == nil { order.append(line) }
            counts[line, default: 0] += count
        }
        var room = Self.textBytes
        let shown = order.prefix { line in
            room -= line.utf8.count
            return room >= 0
        }
        if shown.count < order.count { isCut = true }
        return shown.map { "\($0) (\(counts[$0] ?? 0))" }
    }

    private static func shortened(_ name: String) -> String {
        String(decoding: name.utf8.prefix(nameBytes), as: UTF8.self)
    }
}
