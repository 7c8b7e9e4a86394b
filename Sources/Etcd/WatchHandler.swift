// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

/// Reads the endless reply to a watch, which has one response in each line.
final class WatchHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let limits: EtcdLimits
    private let report: @Sendable (Result<EtcdNews, EtcdError>) -> Void
    private var isOK = false
    private var lines: LineSplitter
    /// The body of a reply whose status is not 200.
    private var refusal: [UInt8] = []
    private var hasEnded = false

    /// - Parameter report: called on the loop. A failure is reported once, as the last call.
    init(_ limits: EtcdLimits, report: @escaping @Sendable (Result<EtcdNews, EtcdError>) -> Void) {
        self.limits = limits
        self.report = report
        lines = LineSplitter(limit: limits.messageBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        do throws(EtcdError) {
            switch unwrapInboundIn(data) {
            case .head(let head): isOK = head.status == .ok
            case .body(let piece) where isOK:
                for line in try lines.append(piece.readableBytesView) {
                    report(.success(try EtcdReply.news(line, limits: limits)))
                }
            case .body(let piece):
                refusal += piece.readableBytesView.prefix(max(0, (64 << 10) - refusal.count))
            case .end:
                throw isOK ? .closed : EtcdReply.fault(refusal, limits: limits)
            }
        } catch {
            end(error, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(EtcdConnector.error(for: error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed, context)
    }

    private func end(_ error: EtcdError, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        context.close(promise: nil)
        report(.failure(error))
    }
}
