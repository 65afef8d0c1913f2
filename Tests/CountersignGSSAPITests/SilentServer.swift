internal import Foundation
internal import Synchronization

/// A TCP server on loopback that accepts a connection, reads, and never answers.
final class SilentServer: Sendable {
    let port: Int
    private let listener: Int32
    private let connection = Mutex<Int32?>(nil)

    init() throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                [bind(listener, pointer, length), listen(listener, 8), getsockname(listener, pointer, &length)]
            }
        }
        guard result == [0, 0, 0] else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection that has sent data.
    func waitForRequest() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let socket = accept(listener, nil, nil)
                connection.withLock { $0 = socket }
                var byte: UInt8 = 0
                _ = recv(socket, &byte, 1, 0)
                continuation.resume()
            }
        }
    }

    /// Closes the connection, and accepts no more.
    func stop() {
        close(listener)
        connection.withLock { socket in
            if let open = socket { close(open) }
            socket = nil
        }
    }
}
