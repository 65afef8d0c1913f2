import Foundation
import TestTurns

@testable import CountersignFileStore

extension OtherProcess {
    /// Starts a `FileStoreContender`.
    ///
    /// - Parameters:
    ///   - command: What it does.
    ///   - argument: With what.
    ///   - scratch: The test's place.
    ///   - wrapper: A program that starts it, and the arguments that go before its own.
    convenience init(_ command: String, _ argument: String, in scratch: ScratchFolder, wrapper: [String] = []) throws {
        let folder = scratch.store.path(percentEncoded: false)
        try self.init("FileStoreContender", [command, folder, scratch.keyBytes.hexadecimal, argument], wrapper: wrapper)
    }
}
