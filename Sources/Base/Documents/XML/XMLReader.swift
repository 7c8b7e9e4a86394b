// SPDX-License-Identifier: Apache-2.0

internal import CExpat

/// The receiver of the parts of an XML document, in document order. An error that it throws ends the reading.
package protocol XMLHandler: AnyObject {
    /// Handles the start of an element.
    func begin(_ name: String, _ attributes: XMLAttributes) throws

    /// Handles a part of the text in the innermost open element: UTF-8, valid only during the call.
    func append(_ text: UnsafeRawBufferPointer) throws

    /// Handles the end of the innermost open element.
    func end() throws

    /// Returns the error to throw for a document that cannot be read. The reader's `line` and `offset` are still valid.
    func error(for fault: XMLFault) -> any Error
}

/// The reason why a document cannot be read.
package enum XMLFault {
    case outOfMemory
    /// Declarations in document types are rejected: they can expand a small document to a large one, and refer to other
    /// files. A document type without declarations is rejected unless it is permitted.
    case documentType
    /// The document is not well-formed.
    ///
    /// - Parameter reason: the parser's own message.
    case malformed(reason: String)
}

/// Reads an XML document with expat in one pass.
///
/// This is a class because expat's callbacks receive it as a pointer.
package final class XMLReader {
    private var parser: XML_Parser?
    private var handler: (any XMLHandler)?
    private var failure: (any Error)?

    /// Whether a document may have a document type without declarations. What it refers to is never read.
    package var permitsDocumentType = false

    /// Makes a reader.
    package init() {}

    /// The line that is being read, from 1; 0 outside of `read`.
    package var line: Int { parser.map { Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 0 }

    /// The offset of the byte that is being read; 0 outside of `read`.
    package var offset: Int { parser.map { max(0, Int(XML_GetCurrentByteIndex($0))) } ?? 0 }

    /// Reads a document from a string.
    ///
    /// - Throws: the error of the handler, or the error that the handler makes from a fault.
    package func read(_ text: String, for handler: any XMLHandler) throws {
        var text = text
        try text.withUTF8 { try read(UnsafeRawBufferPointer($0), encoding: "UTF-8", for: handler) }
    }

    /// Reads a document.
    ///
    /// - Parameter encoding: the encoding; nil uses the one of the XML declaration.
    /// - Throws: the error of the handler, or the error that the handler makes from a fault.
    package func read(_ bytes: UnsafeRawBufferPointer, encoding: String?, for handler: any XMLHandler) throws {
        guard let parser = XML_ParserCreate(encoding) else { throw handler.error(for: .outOfMemory) }
        (self.parser, self.handler, failure) = (parser, handler, nil)
        defer {
            XML_ParserFree(parser)
            (self.parser, self.handler) = (nil, nil)
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { reader, name, attributes in
                guard let name else { return }
                XMLReader.pass(reader) { try $0.begin(String(cString: name), XMLAttributes(attributes)) }
            },
            { reader, _ in XMLReader.pass(reader) { try $0.end() } }
        )
        XML_SetCharacterDataHandler(parser) { reader, start, count in
            XMLReader.pass(reader) { try $0.append(UnsafeRawBufferPointer(start: start, count: Int(count))) }
        }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, hasDeclarations in
            XMLReader.pass(reader) { handler in
                let isPermitted = reader.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }?
                    .permitsDocumentType
                guard isPermitted == true, hasDeclarations == 0 else { throw handler.error(for: .documentType) }
            }
        }
        guard let count = Int32(exactly: bytes.count) else {
            throw handler.error(for: .malformed(reason: "the document is too long"))
        }
        let status = bytes.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, count, 1) }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            throw handler.error(for: .malformed(reason: reason ?? "unknown reason"))
        }
    }

    /// Passes a part to the handler, unless reading has ended. expat may still make calls for the part that it has
    /// begun.
    private static func pass(_ pointer: UnsafeMutableRawPointer?, _ part: (any XMLHandler) throws -> Void) {
        guard let reader = pointer.map({ Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }),
            let handler = reader.handler, reader.failure == nil
        else { return }
        do {
            try part(handler)
        } catch {
            reader.failure = error
            XML_StopParser(reader.parser, XML_Bool(0))
        }
    }
}

/// The attributes of an element, in document order. They are valid only while the handler handles the element's start.
package struct XMLAttributes: Sequence, IteratorProtocol {
    /// Alternating names and values, terminated by nil. expat has rejected duplicate names.
    private var rest: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        rest = attributes
    }

    /// Returns the next attribute.
    package mutating func next() -> (name: String, value: String)? {
        guard let rest, let name = rest[0], let value = rest[1] else { return nil }
        self.rest = rest + 2
        return (String(cString: name), String(cString: value))
    }
}
