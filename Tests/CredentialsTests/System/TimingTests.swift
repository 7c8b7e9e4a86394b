// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

/// Whether the time of a comparison reveals the position of the first difference: Welch's t-test between equal values
/// and random ones, as in Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?". Only `make soak` has an
/// idle machine for long enough. Elsewhere the test shows that it would detect an early exit.
@Suite("Constant time", .serialized)
struct TimingTests {
    private static let limit = 4.5
    private static let byteCount = 32

    /// Mean and variance, updated value by value (Welford).
    private struct Moments {
        var count = 0.0
        private var mean = 0.0
        private var squares = 0.0

        mutating func add(_ value: Double) {
            count += 1
            let delta = value - mean
            mean += delta / count
            squares += delta * (value - mean)
        }

        static func t(_ left: Moments, _ right: Moments) -> Double {
            let spread = left.squares / (left.count - 1) / left.count + right.squares / (right.count - 1) / right.count
            return (left.mean - right.mean) / spread.squareRoot()
        }
    }

    /// - Parameter compare: compares with a fixed value. A sample is that value, or random bytes.
    /// - Returns: the largest |t| over all samples, and without the slowest 1, 5, 10 and 25 percent of them.
    private static func largestT(
        samples: Int,
        reference: [UInt8],
        _ compare: ([UInt8]) -> Bool
    ) -> Double {
        var random = SeededRandom(seed: 8)
        var times: [(isEqual: Bool, nanoseconds: Double)] = []
        times.reserveCapacity(samples)
        var input = [UInt8](repeating: 0, count: byteCount)
        for _ in 0..<samples {
            let isEqual = random.chance(1, of: 2)
            // Both classes are written in the same way, to the same memory.
            let other = random.bytes(byteCount)
            let mask: UInt8 = isEqual ? 0 : 0xFF
            for index in 0..<byteCount { input[index] = reference[index] ^ (other[index] & mask) }
            let start = now()
            let answer = compare(input)
            let end = now()
            precondition(answer == isEqual, "32 random bytes are never the reference")
            times.append((isEqual, Double(end - start)))
        }
        let sorted = times.map(\.nanoseconds).sorted()
        return [1.0, 0.99, 0.95, 0.9, 0.75].map { share in
            let longest = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            var moments = (Moments(), Moments())
            for time in times where time.nanoseconds <= longest {
                if time.isEqual { moments.0.add(time.nanoseconds) } else { moments.1.add(time.nanoseconds) }
            }
            return abs(Moments.t(moments.0, moments.1))
        }.max() ?? .infinity
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static let reference = [UInt8](1...32)

    @Test("the measurement detects a comparison that stops at the first difference")
    func earlyExit() {
        let t = Self.largestT(samples: 20_000, reference: Self.reference) { input in
            for index in 0..<Self.byteCount where input[index] != Self.reference[index] { return false }
            return true
        }
        print("constant time: an early exit has |t| = \(Int(t))")
        #expect(t > Self.limit)
    }

    @Test("the time to compare commitments, tags and secrets does not depend on their content", .enabled(if: Soak.isOn))
    func comparisons() throws {
        let arena = try SecretArena(byteCount: 4096)
        let secret = try Secret(copying: Self.reference, in: arena)
        var other = try Secret(copying: Self.reference, in: arena)
        let samples = 1_000_000
        let ofTags = Self.largestT(samples: samples, reference: Self.reference) {
            ConstantTime.areEqual($0, Self.reference)
        }
        let ofSecrets = Self.largestT(samples: samples, reference: Self.reference) { input in
            other.withMutableBytes { $0.copyBytes(from: input) }
            return secret.isEqual(to: other)
        }
        print("constant time: \(samples) samples each, |t| of commitments and tags \(ofTags), of secrets \(ofSecrets)")
        #expect(ofTags < Self.limit)
        #expect(ofSecrets < Self.limit)
    }
}
