import ArgumentParser

/// The statuses that the command ends with, as `sysexits.h` has them.
enum CommandExit {
    /// Something that was to be shown does not work.
    static let failed = ExitCode(1)
    /// Wrong usage that only shows once a configuration is read; the parser of arguments has the same status.
    static let usage = ExitCode(64)
    /// A spec or a configuration has errors.
    static let badData = ExitCode(65)
    /// A file cannot be read.
    static let noInput = ExitCode(66)
    /// A server was not reached.
    static let unavailable = ExitCode(69)
    /// A defect of Countersign.
    static let defect = ExitCode(70)
    /// A file cannot be written.
    static let cannotCreate = ExitCode(73)
    /// What is stored cannot be read, or nothing can be stored.
    static let storeFailed = ExitCode(74)
    /// Something took too long, or another process is at it: it may work later.
    static let temporary = ExitCode(75)
    /// The login was refused, or given up.
    static let refused = ExitCode(77)
    /// The user has ended the command by Ctrl-C.
    static let interrupted = ExitCode(130)
}
