import Foundation

/// Writes to a file descriptor, and says if that does not work.
enum DescriptorWriter {
    /// Writes all bytes.
    ///
    /// - Throws: What the system says.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitForRoom(descriptor)
            default: throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
    }

    /// Another process may have made the descriptor one that does not wait.
    private static func waitForRoom(_ descriptor: Int32) {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&place, 1, -1)
    }
}

/// The system's own function, which the type's has the name of.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
