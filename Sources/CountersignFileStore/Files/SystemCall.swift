internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// System calls whose error numbers are converted to errors.
enum SystemCall {
    /// Repeats a call while signals interrupt it, and returns the result.
    ///
    /// - Parameters:
    ///   - detail: The failure, as a sentence.
    ///   - path: The file or folder of the call.
    ///   - call: The call; it reports a failure by -1 and `errno`.
    static func check<Value: SignedInteger>(
        _ detail: String, _ path: String, _ call: () -> Value
    ) throws(CredentialStoreError) -> Value {
        while true {
            let value = call()
            if value != -1 { return value }
            let number = errno
            if number != EINTR { throw error(detail, path, number) }
        }
    }

    /// Calls read(2), which types with a method of that name could otherwise call only by naming the C library.
    static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
    }

    /// Calls write(2), for the same reason.
    static func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
    }

    /// Converts an error number to an error.
    static func error(_ detail: String, _ path: String, _ number: Int32) -> CredentialStoreError {
        CredentialStoreError(code(of: number), detail: detail, path: path, systemError: number)
    }

    private static func code(of number: Int32) -> CredentialStoreError.Code {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EACCES, EPERM, EROFS: .notPermitted
        case ELOOP: .unsafe
        case ENOENT, ENOTDIR, ENAMETOOLONG: .unavailable
        default: .inputOutput
        }
    }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, buffer, count) }
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int { write(file, buffer, count) }
