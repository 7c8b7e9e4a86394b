// SPDX-License-Identifier: Apache-2.0

/// The fields of one record of the payload, by tag. It points into the decrypted payload and must not outlive it.
struct VaultRecord {
    private var fields: [UInt16: UnsafeRawBufferPointer] = [:]
    /// Whether a later minor version wrote the record. Unknown fields are skipped then, instead of rejected.
    let isFromNewerMinor: Bool

    private static let maximumFieldBytes = VaultLimits.secretBytes + 4096

    /// Parses a record.
    ///
    /// - Parameter known: the highest known tag of this kind of record. Tags begin with 1.
    init(
        parsing bytes: UnsafeRawBufferPointer,
        known: UInt16,
        isFromNewerMinor: Bool
    ) throws(CredentialError) {
        self.isFromNewerMinor = isFromNewerMinor
        var reader = ByteReader(bytes)
        var last: UInt16 = 0
        while !reader.isAtEnd {
            // Tags must ascend, so that each record has only one encoding and no field occurs twice.
            guard let tag = reader.integer(UInt16.self), tag > last, tag <= known || isFromNewerMinor,
                let value = reader.counted(UInt32.self, limit: Self.maximumFieldBytes)
            else { throw .damaged(.record("field after \(last)")) }
            fields[tag] = value
            last = tag
        }
    }

    func optionalValue(_ tag: UInt16) -> UnsafeRawBufferPointer? { fields[tag] }

    func value(_ tag: UInt16) throws(CredentialError) -> UnsafeRawBufferPointer {
        guard let value = fields[tag] else { throw .damaged(.record("field \(tag) is missing")) }
        return value
    }

    func bytes(_ tag: UInt16) throws(CredentialError) -> [UInt8] {
        Array(try value(tag))
    }

    /// A text field: UTF-8 of at most 4 KiB.
    func string(_ tag: UInt16) throws(CredentialError) -> String {
        let value = try value(tag)
        guard value.count <= VaultLimits.stringBytes, let text = String(validating: value, as: UTF8.self) else {
            throw .damaged(.record("text of field \(tag)"))
        }
        return text
    }

    func integer<Value: FixedWidthInteger>(_ tag: UInt16) throws(CredentialError) -> Value {
        var reader = ByteReader(try value(tag))
        guard let integer = reader.integer(Value.self), reader.isAtEnd else {
            throw .damaged(.record("number of field \(tag)"))
        }
        return integer
    }
}
