// SPDX-License-Identifier: Apache-2.0

package import Prompts

/// A person was to help where an adapter could not be opened, and did not.
package struct UnansweredPrompt: Error {
    /// Why it could not be opened: what a caller is told who asks for no prompt.
    package let failure: any Error
    package let reason: PromptError
    package init(failure: any Error, reason: PromptError) {
        self.failure = failure
        self.reason = reason
    }
}
