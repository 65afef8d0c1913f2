internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Calls of the system, with its error numbers turned into errors.
enum SystemCall {
    /// Calls until no signal interrupts, and returns the result.
    ///
    /// - Parameters:
    ///   - detail: What could not be done, as a sentence.
    ///   - path: The file or folder that it is about.
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

    /// read(2), which a type with a method of that name cannot call otherwise without naming the C library.
    static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
    }

    /// write(2), likewise.
    static func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
    }

    /// An error number as an error.
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
