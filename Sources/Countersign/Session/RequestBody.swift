#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The body of a request, which determines whether the request can be resent.
///
/// After a challenge, the session sends the request again. A ``once(length:_:)`` body cannot be resent: a challenge to such a
/// request fails with ``CountersignError/Code/bodyNotReplayable``, and never causes a resend without body.
public struct RequestBody: Sendable {
    /// The source of the bytes.
    public enum Content: Sendable {
        /// No body.
        case none
        /// Bytes in memory, which can be resent.
        case bytes([UInt8])
        /// A stream that is created anew for each send.
        case restartable(length: Int?, @Sendable () throws -> any ByteStream)
        /// A stream that can be read once.
        case once(length: Int?, any ByteStream)
    }

    private enum Source: Sendable {
        case content(Content)
        /// Bytes that are copied only if they are needed as an array.
        case data(Data)
    }

    private let source: Source

    private init(content: Content) { source = .content(content) }

    /// The source of the bytes.
    public var content: Content {
        switch source {
        case .content(let content): content
        case .data(let data): .bytes(Array(data))
        }
    }

    /// The bytes of a body that was created from `Data`.
    package var data: Data? { if case .data(let data) = source { data } else { nil } }

    /// An empty body.
    public static let none = RequestBody(content: .none)

    /// Returns a body of bytes in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> RequestBody { RequestBody(content: .bytes(Array(bytes))) }

    /// Returns a body of bytes in memory.
    public static func bytes(_ data: Data) -> RequestBody { RequestBody(data: data) }

    private init(data: Data) { source = .data(data) }

    /// Returns a body of text in UTF-8.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(content: .bytes(Array(text.utf8)))
    }

    /// Returns a body of a stream that `make` opens anew for each send.
    ///
    /// - Parameters:
    ///   - length: The number of bytes; `nil` for a chunked body.
    ///   - make: Opens the stream.
    public static func restartable(length: Int? = nil, _ make: @escaping @Sendable () throws -> any ByteStream) -> RequestBody {
        RequestBody(content: .restartable(length: length, make))
    }

    /// Returns a body of a stream that can be sent only once.
    public static func once(length: Int? = nil, _ stream: any ByteStream) -> RequestBody {
        RequestBody(content: .once(length: length, stream))
    }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        if case .content(.once) = source { return false }
        return true
    }
}

/// An asynchronous sequence of body pieces.
public typealias ByteStream = AsyncSequence<[UInt8], any Error> & Sendable
