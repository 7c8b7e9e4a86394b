// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL

/// The client's half of TLS, shared by the connections to one server.
struct ClientTLS: Sendable {
    private let context: NIOSSLContext
    private let serverName: String?

    init(serverName: String?) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .noHostnameVerification
        // PeerCheck decides alone; an empty list keeps the system's CA files from being read.
        configuration.trustRoots = .certificates([])
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        let isAddress = serverName.map { (try? SocketAddress(ipAddress: $0, port: 0)) != nil } ?? false
        self.serverName = isAddress ? nil : serverName
    }

    /// Adds TLS to a new connection; `done` is completed at the end of the handshake.
    func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ check: PeerCheck,
        _ done: EventLoopPromise<Void>
    ) throws {
        try pipeline.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: serverName) { chain, verdict in
                check.verify(chain, verdict)
            }
        )
        try pipeline.addHandler(HandshakeHandler(check, done))
    }
}
