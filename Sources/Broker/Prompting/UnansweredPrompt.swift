// SPDX-License-Identifier: Apache-2.0

package import Prompts

/// The adapter could not be opened, and the user did not supply the missing input.
package struct UnansweredPrompt: Error {
    /// The reason why it could not be opened: the error for a caller that permits no prompts.
    package let failure: any Error
    /// The reason why there is no input.
    package let reason: PromptError
    /// Combines both errors.
    package init(failure: any Error, reason: PromptError) {
        self.failure = failure
        self.reason = reason
    }
}
