// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// The structure of an XML text: its elements and the names of their attributes, without any content.
///
/// This is a class because expat's callbacks receive it as a pointer. An instance lives only during one call.
package final class XMLShape {
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
    private var parser: XML_Parser?

    private init() {}

    /// Returns one line for each kind of element: its path, its attributes and its number of occurrences. Returns nil
    /// if the text is not XML.
    ///
    /// Reading stops at a document type, and beyond 32 levels, 256 kinds or 131,072 elements; then the last line says
    /// so. A line has at most 1,024 bytes and 16 attributes. All lines together have at most 16 KiB.
    package static func lines(of xml: String) -> [String]? {
        XMLShape().read(xml)
    }

    private func read(_ xml: String) -> [String]? {
        var xml = xml
        guard let length = Int32(exactly: xml.utf8.count), let parser = XML_ParserCreate("UTF-8") else { return nil }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { shape, name, attributes in XMLShape.of(shape)?.begin(name, attributes) },
            { shape, _ in XMLShape.of(shape)?.end() }
        )
        XML_SetStartDoctypeDeclHandler(parser) { shape, _, _, _, _ in XMLShape.of(shape)?.stop() }
        let status = xml.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, length, 1) }
        }
        guard status == XML_STATUS_OK || isCut else { return nil }
        let lines = lines()
        return lines + (isCut ? ["and more that was not read"] : [])
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLShape? {
        pointer.map { Unmanaged<XMLShape>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard !isCut, let name else { return }
        read += 1
        guard open.count < Self.depth, read <= Self.elements else { return stop() }
        var names: [String] = []
        var next = attributes
        while names.count < Self.attributes, let attribute = next?[0] {
            names.append("@" + Self.shortened(attribute))
            next = next?.advanced(by: 2)
        }
        let own = Self.shortened(name)
        let kind = Kind(parent: open.last, text: ([own] + names.sorted()).joined(separator: " "))
        let number = numbers[kind] ?? kinds.count
        if number == kinds.count {
            guard kinds.count < Self.paths else { return stop() }
            numbers[kind] = number
            kinds.append((kind, own, 0))
        }
        kinds[number].count += 1
        open.append(number)
    }

    private func end() {
        if !isCut { open.removeLast() }
    }

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

    private func stop() {
        isCut = true
        if let parser { XML_StopParser(parser, XML_Bool(0)) }
    }

    private static func shortened(_ name: UnsafePointer<CChar>) -> String {
        String(decoding: String(cString: name).utf8.prefix(nameBytes), as: UTF8.self)
    }
}
