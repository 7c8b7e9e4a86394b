// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Distribution of work over all cores, with one thread for each.
package enum Cores {
    /// - Parameter each: called for each part of `range`, in any order.
    /// - Returns: the results in the order of `range`.
    package static func map<Result: Sendable>(
        _ range: Range<Int>,
        _ each: @escaping @Sendable (Int) throws -> Result
    ) async throws -> [Result] {
        let count = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), range.count))
        func start(_ core: Int) -> Int { range.lowerBound + range.count * core / count }
        return try await withThrowingTaskGroup(of: (Int, [Result]).self) { group in
            for core in 0..<count {
                let part = start(core)..<start(core + 1)
                group.addTask { (core, try await BlockingWork.run { try part.map(each) }) }
            }
            var parts = [[Result]](repeating: [], count: count)
            for try await (core, results) in group { parts[core] = results }
            return parts.flatMap { $0 }
        }
    }
}
