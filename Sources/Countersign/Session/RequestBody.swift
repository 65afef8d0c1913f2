#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a request sends after its head, and whether it can be sent again.
///
/// A challenge makes the session send a request a second time, so a body says how that can be done. A ``once(length:_:)`` body cannot:
/// a challenge to such a request ends in ``CountersignError/Code/bodyNotReplayable``, never in an empty resend.
public struct RequestBody: Sendable {
    /// How the bytes are had.
    public enum Content: Sendable {
        /// No body.
        case none
        /// Bytes in memory; sent again as they are.
        case bytes([UInt8])
        /// A stream that can be made anew for each send.
        case restartable(length: Int?, @Sendable () throws -> any ByteStream)
        /// A stream that exists once.
        case once(length: Int?, any ByteStream)
    }

    private enum Source: Sendable {
        case content(Content)
        /// Bytes that are not copied until something wants them as an array.
        case data(Data)
    }

    private let source: Source

    private init(content: Content) { source = .content(content) }

    /// How the bytes are had.
    public var content: Content {
        switch source {
        case .content(let content): content
        case .data(let data): .bytes(Array(data))
        }
    }

    /// The bytes of a body that was made of `Data`.
    package var data: Data? { if case .data(let data) = source { data } else { nil } }

    /// No body.
    public static let none = RequestBody(content: .none)

    /// Bytes in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> RequestBody { RequestBody(content: .bytes(Array(bytes))) }

    /// Bytes in memory.
    public static func bytes(_ data: Data) -> RequestBody { RequestBody(data: data) }

    private init(data: Data) { source = .data(data) }

    /// Text, as UTF-8.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(content: .bytes(Array(text.utf8)))
    }

    /// A stream that `make` opens anew for each send.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known; otherwise the body is sent in chunks.
    ///   - make: Opens the stream.
    public static func restartable(length: Int? = nil, _ make: @escaping @Sendable () throws -> any ByteStream) -> RequestBody {
        RequestBody(content: .restartable(length: length, make))
    }

    /// A stream that can be sent once only.
    public static func once(length: Int? = nil, _ stream: any ByteStream) -> RequestBody {
        RequestBody(content: .once(length: length, stream))
    }

    /// Whether the body can be sent a second time.
    public var isReplayable: Bool {
        if case .content(.once) = source { return false }
        return true
    }
}

/// Bytes that arrive in pieces.
public typealias ByteStream = AsyncSequence<[UInt8], any Error> & Sendable
