// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option `--max-temp`.
struct TemporarySpace: ParsableArguments {
    @Option(
        name: .customLong("max-temp"),
        help: ArgumentHelp("Fail rather than write more temporary files than this, such as 500MiB.", valueName: "size")
    )
    var limit = ByteSize(bytes: 1 << 30)
}

/// A number of bytes as typed: `4096`, `64KiB`, `500MiB`, `2GiB`.
struct ByteSize: ExpressibleByArgument {
    private static let units: [(name: String, shift: Int)] = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)]

    let bytes: Int64

    init(bytes: Int64) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let digits = argument.prefix { ("0"..."9").contains($0) }
        guard let number = Int64(digits),
            let unit = Self.units.first(where: { $0.name.lowercased() == argument.dropFirst(digits.count).lowercased() }
            ),
            number <= Int64.max >> unit.shift
        else { return nil }
        bytes = number << unit.shift
    }

    var defaultValueDescription: String {
        let unit = Self.units.first { bytes >= 1 << $0.shift && bytes % (1 << $0.shift) == 0 }
        return unit.map { "\(bytes >> $0.shift)\($0.name)" } ?? "\(bytes)"
    }
}
