// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Fuzzing
import Glibc

private let descriptor: Int32 = {
    var path = Array("/tmp/relativityd-fuzz.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { fatalError("no temporary file") }
    unlink(path)
    return descriptor
}()

/// A file to import, in any format: what is read from a CSV file survives writing and reading.
@main
enum ImportFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let input = Array(input)
        _ = records(input, ImportFormat(.json))
        let read = records(input, ImportFormat(.csv))
        guard let names = read.first?.names else { return }
        var text = line(names.map { .text($0) })
        for record in read { text += line(record.values) }
        let again = records(text, ImportFormat(.csv))
        // An empty line is a record only if there is one field.
        guard again.map(\.values) == read.map(\.values) else { fatalError("records read differently") }
    }
}

private func records(_ bytes: [UInt8], _ format: ImportFormat) -> [ImportRecord] {
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
        lseek(descriptor, 0, SEEK_SET) == 0
    else { fatalError("the file cannot be written") }
    var records: [ImportRecord] = []
    guard var source = try? ImportSource(descriptor, format, mostBytes: 1 << 12) else { return [] }
    while let record = try? source.next() {
        guard record.names.count == record.values.count, record.line > records.last?.line ?? 0 else {
            fatalError("a record that is none")
        }
        records.append(record)
    }
    return records
}

private func line(_ values: [FieldText]) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    let fields = values.map { value -> [UInt8] in
        guard case .text(let text) = value else { return [] }
        return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
    return Array(fields.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "\n")]
}
