import ArgumentParser

/// The exit statuses of the command, as in `sysexits.h`.
enum CommandExit {
    /// The operation failed.
    static let failed = ExitCode(1)
    /// Wrong usage that is detected only after a configuration is read. The argument parser uses the same status.
    static let usage = ExitCode(64)
    /// A spec or a configuration has errors.
    static let badData = ExitCode(65)
    /// A file cannot be read.
    static let noInput = ExitCode(66)
    /// A server could not be reached, or cannot answer at present.
    static let unavailable = ExitCode(69)
    /// A defect of Countersign.
    static let defect = ExitCode(70)
    /// A file cannot be written.
    static let cannotCreate = ExitCode(73)
    /// The store cannot be read or written.
    static let storeFailed = ExitCode(74)
    /// A time limit was exceeded, or another process uses a resource. A later attempt may succeed.
    static let temporary = ExitCode(75)
    /// The login was refused or cancelled.
    static let refused = ExitCode(77)
    /// The user has ended the command by Ctrl-C.
    static let interrupted = ExitCode(130)
    /// SIGTERM has ended the command.
    static let terminated = ExitCode(143)
}
