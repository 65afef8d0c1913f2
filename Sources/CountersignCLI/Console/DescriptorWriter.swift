import Foundation

/// Writes to a file descriptor, and throws an error if that fails.
enum DescriptorWriter {
    /// Writes all bytes.
    ///
    /// - Throws: The error of the system.
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

    /// Waits until the descriptor is writable. Another process may have made it non-blocking.
    private static func waitForRoom(_ descriptor: Int32) {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&place, 1, -1)
    }
}

/// Calls the function of the system, which the type's own method would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
