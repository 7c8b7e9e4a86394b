// SPDX-License-Identifier: Apache-2.0

import Documents
import NIOCore

/// An XML property list: one dictionary of texts. Numbers, dates and truth values are read as text.
enum PropertyList {
    private static let mostBytes = 1 << 20

    /// Encodes properties, sorted by name.
    ///
    /// - Throws: `invalidProperty`, `tooLarge`.
    static func encode(_ properties: [String: String]) throws(BriefcaseError) -> ByteBuffer {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            guard (1...1_024).contains(name.utf8.count), value.utf8.count <= 64 << 10,
                (name + value).unicodeScalars.allSatisfy(XMLText.isPermitted)
            else { throw .invalidProperty(name) }
            text += "\t<key>\(XMLText.escaped(name))</key>\n\t<string>\(XMLText.escaped(value))</string>\n"
        }
        text += "</dict>\n</plist>\n"
        guard text.utf8.count <= mostBytes else { throw .tooLarge }
        return ByteBuffer(string: text)
    }

    /// Decodes properties.
    ///
    /// - Throws: `properties`, `tooLarge`.
    static func decode(_ bytes: ByteBuffer) throws(BriefcaseError) -> [String: String] {
        guard bytes.readableBytes <= mostBytes else { throw .tooLarge }
        let reader = PropertyListReader()
        do {
            try bytes.withUnsafeReadableBytes { try reader.xml.read($0, encoding: nil, for: reader) }
        } catch {
            throw error as? BriefcaseError ?? .properties(reason: "out of memory", line: 0)
        }
        return reader.properties
    }
}

private final class PropertyListReader: XMLHandler {
    private static let valueNames: Set = ["string", "integer", "real", "date", "true", "false"]

    let xml = XMLReader()
    private(set) var properties: [String: String] = [:]
    private var open: [String] = []
    private var name: String?
    private var text: [UInt8] = []

    init() {
        // Each property list of the vendor has one. Entities cannot be declared, and nothing is fetched.
        xml.permitsDocumentType = true
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: failure("out of memory")
        case .documentType: failure("a document type with declarations")
        case .malformed(let reason): failure(reason)
        }
    }

    private func failure(_ reason: String) -> BriefcaseError { .properties(reason: reason, line: xml.line) }

    func begin(_ element: String, _: XMLAttributes) throws {
        switch (open.count, element) {
        case (0, "plist"), (1, "dict"): break
        case (2, "key") where name == nil: break
        case (2, _) where name != nil && Self.valueNames.contains(element): break
        default: throw failure("an element '\(element.prefix(40))' at this place")
        }
        open.append(element)
        text = []
    }

    func append(_ part: UnsafeRawBufferPointer) { text += part }

    func end() throws {
        let element = open.removeLast()
        guard open.count == 2 else {
            if name != nil { throw failure("a key without a value") }
            return
        }
        let content = String(decoding: text, as: UTF8.self)
        if element == "key" {
            name = content
        } else if let key = name {
            let isFlag = element == "true" || element == "false"
            guard properties.updateValue(isFlag ? element : content, forKey: key) == nil else {
                throw failure("a key twice")
            }
            name = nil
        }
    }
}
