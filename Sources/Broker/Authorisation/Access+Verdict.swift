// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

extension Access {
    /// The reason to refuse the access; nil if it is permitted. All routes use this one decision.
    package var refusal: AccessRefusal? {
        if let peer, peer != user { return .otherUser }
        if case .grant(_, isOver: true) = route { return .grantIsOver }
        switch action {
        case .connect:
            return nil
        case .method(let scope):
            // The holder of an adapter or a grant may use that socket, and nothing else of the daemon.
            guard route == .main else { return .wrongSocket }
            return refusal(of: scope) ?? missingAgreement(to: scope)
        case .call(let call):
            return refusal(of: call)
        case .poll:
            guard route == .adapter(sharesSession: false) else {
                return route == .main ? .wrongSocket : .pollNeedsOwnSession
            }
            if constraints.isForGrantsOnly { return .grantsOnly }
            return closedVault
        }
    }

    private var closedVault: AccessRefusal? { needsVault && vault != .unlocked ? .vaultNotOpen : nil }

    /// Checked last, so that the user is not prompted for a call that would be refused anyway.
    private func missingAgreement(to scope: MethodScope) -> AccessRefusal? {
        guard constraints.isConfirmed, !isAgreed else { return nil }
        return scope == .look ? nil : .notAgreed
    }

    private func refusal(of scope: MethodScope) -> AccessRefusal? {
        switch scope {
        case .look, .manage: nil
        case .vault: vault == .unlocked ? nil : .vaultNotOpen
        case .use: constraints.isForGrantsOnly ? .grantsOnly : closedVault
        case .export:
            if constraints.isForGrantsOnly {
                .grantsOnly
            } else if constraints.isReadOnly || !constraints.allowsSessionExport {
                // The daemon does not see the calls inside an exported session.
                .exportOff
            } else {
                closedVault
            }
        }
    }

    private func refusal(of call: ToolCall) -> AccessRefusal? {
        switch route {
        case .main: return .wrongSocket
        case .adapter:
            if constraints.isForGrantsOnly { return .grantsOnly }
        case .grant(let filter, _):
            // The daemon answers logins and logouts itself.
            guard call.isLogin || filter.allows(call) else {
                return .notGranted(service: call.service, method: call.method)
            }
        }
        if constraints.isReadOnly, !call.isLogin, !call.isReading {
            return .readOnly(service: call.service, method: call.method)
        }
        return closedVault
    }
}
