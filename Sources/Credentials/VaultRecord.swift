// SPDX-License-Identifier: Apache-2.0

/// The fields of one record of the payload, by tag. It points into the decrypted payload and lives no longer.
struct VaultRecord {
    private var fields: [UInt16: UnsafeRawBufferPointer] = [:]
    /// Written by a later minor: what this program does not know is passed over instead of refused.
    let isFromNewerMinor: Bool

    private static let maximumFieldBytes = VaultLimits.secretBytes + 4096

    /// - Parameter known: the tags of this kind of record, 1 to `known`.
    init(
        parsing bytes: UnsafeRawBufferPointer,
        known: UInt16,
        isFromNewerMinor: Bool
    ) throws(CredentialError) {
        self.isFromNewerMinor = isFromNewerMinor
        var reader = ByteReader(bytes)
        var last: UInt16 = 0
        while !reader.isAtEnd {
            // Ascending tags: one spelling of each record, and no field twice.
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

    /// UTF-8 of at most 4 KiB.
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
