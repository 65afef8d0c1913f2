#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a credential store, with its place and the remedy.
///
/// It contains neither secrets nor the names of credentials, which identify users. A store of files names the file, a store on
/// servers the server or key; such names are derived from the credential's name with a secret.
public struct CredentialStoreError: SecretFreeError, Sendable, Hashable, CustomDebugStringConvertible {
    /// The kind of error.
    public let code: Code
    /// A sentence about this occurrence, without secrets.
    public let detail: String
    /// The file or folder, or the server or its key; `nil` if there is none.
    public let path: String?
    /// The system's error number; `nil` if the system reported none.
    public let systemError: Int32?

    /// Creates an error.
    public init(_ code: Code, detail: String, path: String? = nil, systemError: Int32? = nil) {
        self.code = code
        self.detail = detail
        self.path = path
        self.systemError = systemError
    }

    public var description: String {
        let place = path.map { " at \($0)" } ?? ""
        let number = systemError.map { ", system error \($0)" } ?? ""
        return "\(detail)\(place) [\(code.rawValue)\(number)]"
    }

    public var debugDescription: String { description }
}

extension CredentialStoreError {
    /// The kind of error. The set is open, the texts are bounded, and values can be metric labels.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The lock was not released within the timeout.
        public static let lockTimedOut = Code(rawValue: "lock-timed-out")
        /// The lock may have been lost, because its holder paused or could not reach the store.
        public static let lockLost = Code(rawValue: "lock-lost")
        /// The stored version is not the one to replace.
        public static let conflict = Code(rawValue: "conflict")
        /// The stored data is truncated or altered.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The file or entry that identifies the whole store is missing or damaged. The credentials may be intact, so none of them
        /// is replaced or discarded because of it.
        public static let storeDamaged = Code(rawValue: "store-damaged")
        /// The stored data was not written by this kind of store.
        public static let foreign = Code(rawValue: "foreign")
        /// The stored data was written by a newer version of this store.
        public static let unsupportedFormat = Code(rawValue: "unsupported-format")
        /// The stored data was encrypted with another key.
        public static let wrongKey = Code(rawValue: "wrong-key")
        /// The encryption key could not be obtained.
        public static let keyUnavailable = Code(rawValue: "key-unavailable")
        /// The secret exceeds the store's size limit.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The disk or the user's quota is full.
        public static let noSpace = Code(rawValue: "no-space")
        /// The operation is not permitted.
        public static let notPermitted = Code(rawValue: "not-permitted")
        /// Other users could change the stored data: it is, or is in, a link, folder or file that they own or may write.
        public static let unsafe = Code(rawValue: "unsafe")
        /// The location does not exist or has the wrong type.
        public static let unavailable = Code(rawValue: "unavailable")
        /// Another error of the system.
        public static let inputOutput = Code(rawValue: "input-output")
    }
}

extension CredentialStoreError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        switch code {
        case .lockTimedOut: "Try again; if the error persists, look for a process that hangs during a renewal."
        case .lockLost: "Acquire the lock again, and read the current value."
        case .conflict: "Read again, and continue with the current value."
        case .corrupt, .foreign: "Restore a backup, or discard the credential and sign in again. Nothing is overwritten until then."
        case .storeDamaged:
            "Restore that file or entry from a backup, or clear the store and sign in again. Nothing is overwritten until then."
        case .unsupportedFormat: "Use the newer version of the program, or clear the store and sign in again."
        case .wrongKey: "Use the key that the store was created with, or clear the store and sign in again."
        case .keyUnavailable: "Unlock or restore the place where the key is kept, then try again."
        case .tooLarge: "Check what is stored: no credential is that large."
        case .noSpace: "Free some space, then write again; the old value is still there."
        case .notPermitted: "Give the program's user permission to read and write the folder, or the store's keys."
        case .unsafe: "Use a folder that belongs to the program's user, that no other user may write to, and that is not a link."
        case .unavailable: "Check the folder's path, or whether the store's servers run and can be reached."
        case .inputOutput: "Check the disk, read again, and write again if the old value is there."
        default: nil
        }
    }
}
