#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a store could not do what it was asked: what, where, and what to do next.
///
/// It holds neither secrets nor the names of credentials, because names tell who uses what. A store of files says which file it was, one on
/// servers which server or key; such a name is derived from the credential's with a secret, and says nothing to others.
public struct CredentialStoreError: SecretFreeError, Sendable, Hashable, CustomDebugStringConvertible {
    /// What went wrong.
    public let code: Code
    /// A sentence on this occurrence, without secrets.
    public let detail: String
    /// The file or folder, or the server or its key, if the store has any.
    public let path: String?
    /// The system's error number, if the system refused.
    public let systemError: Int32?

    /// Makes an error.
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
    /// What went wrong: an open set with a bounded text each, fit for a metric's label.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another holder kept a lock for longer than the caller waits.
        public static let lockTimedOut = Code(rawValue: "lock-timed-out")
        /// The lock may be another one's by now, since its holder paused, or could not reach the store.
        public static let lockLost = Code(rawValue: "lock-lost")
        /// Another version is there than the one to replace.
        public static let conflict = Code(rawValue: "conflict")
        /// What is stored was cut off or altered.
        public static let corrupt = Code(rawValue: "corrupt")
        /// What is there was not written by this kind of store.
        public static let foreign = Code(rawValue: "foreign")
        /// What is there was written by a newer version of this store.
        public static let unsupportedFormat = Code(rawValue: "unsupported-format")
        /// What is stored was encrypted with another key.
        public static let wrongKey = Code(rawValue: "wrong-key")
        /// The key could not be had.
        public static let keyUnavailable = Code(rawValue: "key-unavailable")
        /// The secret is larger than the store takes.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The disk, or the user's share of it, is full.
        public static let noSpace = Code(rawValue: "no-space")
        /// The user may not do that here, or no user may.
        public static let notPermitted = Code(rawValue: "not-permitted")
        /// Others could change what is stored: a link, a folder or a file of theirs, or one that they may write.
        public static let unsafe = Code(rawValue: "unsafe")
        /// The place is not there, or is no place.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The system failed in another way.
        public static let inputOutput = Code(rawValue: "input-output")
    }
}

extension CredentialStoreError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// What the reader can do about it.
    public var recoverySuggestion: String? {
        switch code {
        case .lockTimedOut: "Try again; if it goes on, look for a process that hangs while it renews."
        case .lockLost: "Take the lock again, and read what is there now."
        case .conflict: "Read again, and go on with what is there now."
        case .corrupt, .foreign: "Put back a copy, or discard the credential and sign in again. Nothing is overwritten until then."
        case .unsupportedFormat: "Use the newer version of the program, or clear the store and sign in again."
        case .wrongKey: "Give the key that the store was made with, or clear the store and sign in again."
        case .keyUnavailable: "Unlock or restore the place where the key is kept, then try again."
        case .tooLarge: "Check what is stored: no credential is that large."
        case .noSpace: "Make room, then write again; the old value is still there."
        case .notPermitted: "Let the program's user read and write the folder, or the store's keys."
        case .unsafe: "Give a folder that belongs to the program's user, that no other user may write, and that is no link."
        case .unavailable: "Check the folder's path, or whether the store's servers run and can be reached."
        case .inputOutput: "Check the disk, read again, and write again if the old value is there."
        default: nil
        }
    }
}
