// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Searches for canaries in all their forms (`Tests/Tools/find_secrets.py`).
struct SecretSearch {
    struct Outcome {
        /// The canaries that were found, with their location.
        let hits: [String]
        /// The number of files, names of files, and regions of memory that were searched.
        let places: Int
        let searchedBytes: Int
    }

    let canaries: [Canary]

    /// - Parameter places: files, directories, or `pid:` and the ID of a process whose memory is searched.
    func run(in places: [String]) async throws -> Outcome {
        let needles = canaries.flatMap(\.forms).map { form in
            "\(form.name) \(form.bytes.map { String(hexByte: $0) }.joined())\n"
        }
        let search = Command([Sources.python, Sources.root + "/Tests/Tools/find_secrets.py"] + places)
        let lines = try await search.succeed(input: needles.joined(), deadline: .seconds(60)).split(separator: "\n")
        let figures = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
        try #require(figures.count == 2)
        return Outcome(hits: lines.dropLast().map(String.init), places: figures[0], searchedBytes: figures[1])
    }
}
