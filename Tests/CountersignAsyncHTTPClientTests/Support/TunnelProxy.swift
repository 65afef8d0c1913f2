import Foundation
import NIOCore
import NIOPosix
import TestServers

/// Connects to a port for one client, and forwards the bytes in both directions.
func tunnel(_ connection: inout RawConnection, to port: Int, afterConnecting: (RawConnection) async throws -> Void) async throws {
    let upstream = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    let client = connection.outbound
    let established = connection
    nonisolated(unsafe) var fromClient = connection.inbound  // used by one child task alone
    try await upstream.executeThenClose { fromServer, server in
        // Called inside the closure: it fails if the client is gone, and a connection that is never closed would stop the
        // program.
        try await afterConnecting(established)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await piece in fromServer { try await client.write(piece) } }
            group.addTask { while let piece = try await fromClient.next() { try await server.write(piece) } }
            try await group.next()
            group.cancelAll()
        }
    }
}

/// A proxy for `CONNECT`. If a credential is given, it requires that one and answers 407 to all others.
@Sendable
func serveConnect(_ connection: inout RawConnection, credential: String?, requests: Counter) async throws {
    guard let head = try await connection.readHead() else { return }
    requests.add()
    let lines = head.components(separatedBy: "\r\n")
    let target = lines.first?.components(separatedBy: " ") ?? []
    guard target.count == 3, target[0] == "CONNECT", let port = Int(target[1].split(separator: ":").last ?? "") else {
        try await connection.write("HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n")
        return
    }
    if let credential {
        let expected = "proxy-authorization: Basic \(Data(credential.utf8).base64EncodedString())"
        guard lines.contains(where: { $0.caseInsensitiveCompare(expected) == .orderedSame }) else {
            try await connection.write(
                "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm=\"x\"\r\ncontent-length: 0\r\n\r\n")
            return
        }
    }
    try await tunnel(&connection, to: port) { try await $0.write("HTTP/1.1 200 Connected\r\n\r\n") }
}

/// A SOCKS5 proxy without authentication (RFC 1928).
@Sendable
func serveSOCKS(_ connection: inout RawConnection, requests: Counter) async throws {
    guard let greeting = try await connection.read(2), greeting[0] == 5, try await connection.read(Int(greeting[1])) != nil else {
        return
    }
    requests.add()
    try await connection.write([5, 0])
    guard let request = try await connection.read(4), request[1] == 1 else { return }
    let addressLength = request[3] == 1 ? 4 : Int(try await connection.read(1)?.first ?? 0)
    guard try await connection.read(addressLength) != nil, let port = try await connection.read(2) else { return }
    try await tunnel(&connection, to: Int(port[0]) << 8 | Int(port[1])) { try await $0.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]) }
}
