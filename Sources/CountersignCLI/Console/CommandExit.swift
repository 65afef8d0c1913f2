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
    /// A defect of Countersign.
    static let defect = ExitCode(70)
    /// A file cannot be written.
    static let cannotCreate = ExitCode(73)
}
