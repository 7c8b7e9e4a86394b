// SPDX-License-Identifier: Apache-2.0

import Locks
import Testing

/// Ends the brokers and servers that a test has started, in the order of their starts: a broker logs out while its
/// servers are still there.
final class TestEnds: Sendable {
    @TaskLocal static var current: TestEnds?
    private let ends = Lock<[@Sendable () async -> Void]>([])

    func add(_ end: @escaping @Sendable () async -> Void) { ends.withLock { $0.append(end) } }

    fileprivate func run() async {
        for end in ends.withLock({ $0 }) { await end() }
    }
}

/// Ends what each test of a suite has started, also if the test has failed.
struct EndsStarted: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let ends = TestEnds()
        let result: Result<Void, any Error>
        do {
            result = .success(try await TestEnds.$current.withValue(ends) { try await function() })
        } catch {
            result = .failure(error)
        }
        await ends.run()
        try result.get()
    }
}

extension Trait where Self == EndsStarted {
    static var endsStarted: Self { Self() }
}
