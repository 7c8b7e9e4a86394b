// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// Lets expat walk through a document once, and collects the text of the known elements.
///
/// An object, because expat's callbacks find it through a pointer; it lives on the stack of one call.
final class ElementReader {
    private static let maximumDepth = 16
    private static let root = "RelativityClient"

    private(set) var values: [KnownElement: String] = [:]
    private var path: [String] = []
    /// Text of the element at `path`, where that is a known one.
    private var text: [UInt8] = []
    private var failure: RelativityClientError?
    private var parser: XML_Parser?

    func read(_ bytes: [UInt8], isUTF8: Bool) throws(RelativityClientError) {
        guard let parser = XML_ParserCreate(isUTF8 ? "UTF-8" : nil) else { throw .outOfMemory }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { reader, name, _ in ElementReader.of(reader)?.begin(name) },
            { reader, _ in ElementReader.of(reader)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { reader, start, count in ElementReader.of(reader)?.append(start, count) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in ElementReader.of(reader)?.refuseDocumentType() }
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no reason is known"
            throw .syntax(reason: words, line: line)
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> ElementReader? {
        pointer.map { Unmanaged<ElementReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { parser.map { Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 0 }

    /// The known element that is open, if it is the innermost one.
    private var current: KnownElement? {
        path.first == Self.root ? KnownElement(rawValue: path.dropFirst().joined(separator: "/")) : nil
    }

    private func begin(_ name: UnsafePointer<CChar>?) {
        guard failure == nil, let name else { return }
        path.append(String(cString: name))
        guard path[0] == Self.root else { return fail(.otherDocument(line: line)) }
        guard path.count <= Self.maximumDepth else { return fail(.tooDeep(limit: Self.maximumDepth, line: line)) }
        guard let current else { return }
        guard values[current] == nil else { return fail(.duplicate(element: current.rawValue, line: line)) }
        // Empty or not, it has been there.
        values[current] = ""
        text = []
    }

    private func append(_ start: UnsafePointer<CChar>?, _ count: Int32) {
        guard failure == nil, let start, let current else { return }
        let piece = UnsafeRawBufferPointer(start: start, count: Int(count))
        guard text.count + piece.count <= current.maximumBytes * 2 else {
            return fail(.tooLong(element: current.rawValue, limit: current.maximumBytes, line: line))
        }
        text += piece
    }

    private func end() {
        guard failure == nil else { return }
        defer { path.removeLast() }
        guard let current else { return }
        let trimmed = Self.trimmed(text)
        guard trimmed.count <= current.maximumBytes else {
            return fail(.tooLong(element: current.rawValue, limit: current.maximumBytes, line: line))
        }
        // expat has checked that it is UTF-8.
        let value = String(decoding: trimmed, as: UTF8.self)
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }) else {
            return fail(.controlCharacter(element: current.rawValue, line: line))
        }
        values[current] = value
    }

    private func refuseDocumentType() {
        fail(.documentType(line: line))
    }

    private func fail(_ error: RelativityClientError) {
        if failure == nil { failure = error }
        if let parser { XML_StopParser(parser, XML_Bool(0)) }
    }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}
