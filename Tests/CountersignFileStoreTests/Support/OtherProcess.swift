import Countersign
import Foundation
import TestTurns

@testable import CountersignFileStore

extension OtherProcess {
    /// Starts a `FileStoreContender`.
    ///
    /// - Parameters:
    ///   - command: The command of the process.
    ///   - argument: The argument of the command.
    ///   - scratch: The test's folder.
    ///   - wrapper: A program that starts the process, and the arguments before those of the process.
    convenience init(_ command: String, _ argument: String, in scratch: ScratchFolder, wrapper: [String] = []) throws {
        let folder = scratch.store.path(percentEncoded: false)
        try self.init("FileStoreContender", [command, folder, Hexadecimal.text(scratch.keyBytes), argument], wrapper: wrapper)
    }
}
