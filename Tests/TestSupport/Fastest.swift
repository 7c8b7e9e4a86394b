// SPDX-License-Identifier: Apache-2.0

/// Measures against a time limit: returns the first of up to `tries` durations that is below it, or else the shortest.
///
/// Other load on the machine only makes a run longer, so one run that is fast enough is proof.
package func fastest(
    below limit: Duration,
    tries: Int = 5,
    _ run: () async throws -> Duration
) async rethrows -> Duration {
    var shortest = try await run()
    for _ in 1..<tries where shortest >= limit {
        shortest = min(shortest, try await run())
    }
    return shortest
}
