// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    /// Reads a string whose opening quote is next.
    mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        var union: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                let text = try makeString(content, isASCII: union < 0x80, at: start)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            guard byte >= 0x20 else { throw failure(.controlCharacter) }
            union |= byte
            position += 1
        }
        throw failure(.unexpectedEnd)
    }

    /// Goes on with a string that starts at `start` and has its first backslash here.
    private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var run = start
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                scratch.append(contentsOf: bytes[run..<position])
                let text = try scratch.withUnsafeBytes { content in
                    Result { () throws(JSONSyntaxError) in try makeString(content, isASCII: false, at: start) }
                }.get()
                position += 1
                return text
            case UInt8(ascii: "\\"):
                scratch.append(contentsOf: bytes[run..<position])
                position += 1
                try parseEscape()
                run = position
            default:
                guard byte >= 0x20 else { throw failure(.controlCharacter) }
                position += 1
            }
        }
    }

    /// Reads what follows a backslash and appends the character it stands for to `scratch`.
    private mutating func parseEscape() throws(JSONSyntaxError) {
        let byte = try peek()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            let scalar = try parseUnicodeEscape()
            scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return
        default:
            throw failure(.invalidEscape)
        }
        position += 1
    }

    private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        let first = try parseFourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = JSONSyntaxError(offset: start, reason: .loneSurrogate)
        guard UTF16.isLeadSurrogate(first) else { throw lone }
        guard try peek() == UInt8(ascii: "\\") else { throw lone }
        position += 1
        guard try peek() == UInt8(ascii: "u") else { throw lone }
        position += 1
        let second = try parseFourHexDigits()
        guard UTF16.isTrailSurrogate(second) else { throw lone }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func parseFourHexDigits() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.invalidEscape)
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    private func makeString(
        _ content: UnsafeRawBufferPointer,
        isASCII: Bool,
        at start: Int
    ) throws(JSONSyntaxError) -> String {
        // The validating initializer is generic and not specialized: it costs ten times as much as this one.
        if isASCII { return String(decoding: content, as: UTF8.self) }
        let text = content.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
        guard let text else { throw JSONSyntaxError(offset: start, reason: .invalidUTF8) }
        return text
    }
}
