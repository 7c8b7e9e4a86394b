// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// Which elements an XML text has, with the names of their attributes, and nothing of what stands in them.
///
/// An object, because expat's callbacks find it through a pointer; it lives on the stack of one call.
package final class XMLShape {
    private static let depth = 32
    private static let paths = 256
    private static let nameBytes = 64

    private var counts: [String: Int] = [:]
    private var order: [String] = []
    private var open: [String] = []
    private var isCut = false
    private var parser: XML_Parser?

    private init() {}

    /// A line for each kind of element: its path, the attributes, and how often it comes; nil for what is no XML.
    ///
    /// A document type ends the reading, as do 32 levels or 256 kinds; then the last line says so.
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
        return order.map { "\($0) (\(counts[$0] ?? 0))" } + (isCut ? ["and more that was not read"] : [])
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLShape? {
        pointer.map { Unmanaged<XMLShape>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard !isCut, let name else { return }
        open.append(Self.shortened(name))
        var names: [String] = []
        var next = attributes
        while let attribute = next?[0] {
            names.append("@" + Self.shortened(attribute))
            next = next?.advanced(by: 2)
        }
        let line = ([open.joined(separator: "/")] + names.sorted()).joined(separator: " ")
        guard open.count <= Self.depth, counts[line] != nil || order.count < Self.paths else { return stop() }
        if counts[line] == nil { order.append(line) }
        counts[line, default: 0] += 1
    }

    private func end() {
        if !isCut { open.removeLast() }
    }

    private func stop() {
        isCut = true
        if let parser { XML_StopParser(parser, XML_Bool(0)) }
    }

    private static func shortened(_ name: UnsafePointer<CChar>) -> String {
        String(decoding: String(cString: name).utf8.prefix(nameBytes), as: UTF8.self)
    }
}
