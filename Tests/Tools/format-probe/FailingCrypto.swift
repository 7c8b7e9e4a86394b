// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Access to Tests/Tools/failing-crypto.c, if it was loaded before this program.
struct FailingCrypto {
    private let arm: @convention(c) (Int, Int32) -> Void
    private let calls: @convention(c) () -> Int

    init?() {
        guard let arm = dlsym(nil, "failing_crypto_arm"), let calls = dlsym(nil, "failing_crypto_calls") else {
            return nil
        }
        self.arm = unsafeBitCast(arm, to: (@convention(c) (Int, Int32) -> Void).self)
        self.calls = unsafeBitCast(calls, to: (@convention(c) () -> Int).self)
    }

    /// - Parameter call: the number of the call that fails, from 1; 0 for none.
    /// - Returns: the result of `body`, and the number of its calls.
    func run<Result>(failing call: Int, late: Bool, _ body: () -> Result) -> (Result, calls: Int) {
        arm(call, late ? 1 : 0)
        let result = body()
        let count = calls()
        arm(0, 0)
        return (result, count)
    }
}
