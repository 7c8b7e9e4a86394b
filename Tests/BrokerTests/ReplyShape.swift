// SPDX-License-Identifier: Apache-2.0

import Remoting
import Testing

/// The form in which the sample server's replies reach the broker in a test.
enum ReplyShape: CaseIterable {
    case plain
    case compressed
    /// Each read from the server brings one byte.
    case drops

    @TaskLocal static var current = ReplyShape.compressed

    var compressingFrom: Int? { self == .compressed ? 0 : nil }

    var channelSettings: ChannelSettings {
        var settings = ChannelSettings.standard
        if self == .drops { settings.readBytes = 1 }
        return settings
    }
}

/// Runs each test of a suite once for each shape.
struct EveryReplyShape: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for shape in ReplyShape.allCases {
            try await ReplyShape.$current.withValue(shape) { try await function() }
        }
    }
}

extension Trait where Self == EveryReplyShape {
    static var everyReplyShape: Self { Self() }
}
