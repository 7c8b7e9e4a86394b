// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads one value, which must fill `bytes` but for white space around it.
    ///
    /// Stricter than RFC 8259 asks: a key used twice, a lone surrogate and a number beyond the range of a double are
    /// errors. `\u0000` within a string is allowed.
    public init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits)
        self = try parser.parseText()
    }

    /// Reads one value as `init(parsing:limits:)` does, but of objects at any depth only the members with these keys. All
    /// others are passed over: what is wrong within them goes unnoticed.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .init(),
        onlyMembers keys: Set<String>
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes, limits: limits, wanted: keys.map { Array($0.utf8) })
        self = try parser.parseText()
    }

    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        let parsed = bytes.withContiguousStorageIfAvailable { storage in
            Result { () throws(JSONSyntaxError) in
                try JSONValue(parsing: UnsafeRawBufferPointer(storage), limits: limits)
            }
        }
        if let parsed {
            self = try parsed.get()
        } else {
            self = try JSONValue(parsing: Array(bytes), limits: limits)
        }
    }

    public init(parsing text: String, limits: JSONLimits = .init()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}
