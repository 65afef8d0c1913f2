internal import Crypto
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Signs each request with values that are computed from it.
protocol RequestSigning: Sendable {
    /// Returns the part of a body that the signature needs; `nil` if the body must be read for it.
    ///
    /// - Parameter isEncrypted: Whether the request is sent over TLS.
    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload?

    /// Reads a body before it is sent.
    ///
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``; an error of the stream.
    func payload(reading body: RequestBody) async throws -> RequestPayload

    /// Adds the signature to a request.
    ///
    /// - Parameter now: The time of this machine's clock.
    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date)
}

/// The body of a request, as far as a signature needs it.
enum RequestPayload: Sendable {
    case bytes([UInt8])
    /// The SHA-256 hash, in hexadecimal digits, of a body that is not in memory.
    case hash(String)
    /// The body is not signed.
    case unsigned
}

extension RequestBody {
    /// Returns the pieces of a body that is not in memory and can be read more than once.
    ///
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``.
    fileprivate func pieces() throws -> any ByteStream {
        guard case .restartable(_, let make) = content else {
            throw CountersignError(
                .bodyNotReplayable,
                detail: "the signature requires the whole body before the request is sent, and this body can be read only once")
        }
        return try make()
    }

    /// Reads the body and returns its hash, or its bytes if it is in memory.
    ///
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``; an error of the stream.
    func hashed() async throws -> RequestPayload {
        if let payload = inMemory { return payload }
        var hash = SHA256()
        for try await piece in try pieces() { hash.update(data: piece) }
        return .hash(Hexadecimal.text(hash.finalize()))
    }

    /// Reads the body into memory.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``; an error of the stream.
    func collected(upTo limit: Int) async throws -> RequestPayload {
        if let payload = inMemory { return payload }
        var bytes: [UInt8] = []
        for try await piece in try pieces() {
            bytes += piece
            guard bytes.count <= limit else {
                throw CountersignError(
                    .bodyNotReplayable,
                    detail: "the signature requires the body in memory, and the body has more than \(limit) bytes")
            }
        }
        return .bytes(bytes)
    }

    /// The body if it is in memory or empty; otherwise `nil`.
    var inMemory: RequestPayload? {
        switch content {
        case .none: .bytes([])
        case .bytes(let bytes): .bytes(bytes)
        case .restartable, .once: nil
        }
    }
}

extension HTTPRequest {
    /// The scheme in lower case (RFC 9421, section 2.2.4).
    var signedScheme: String { (scheme ?? "").lowercased() }

    /// The host in lower case, with the port unless it is the scheme's default (RFC 9421, section 2.2.3). Transports send it so in
    /// `Host`.
    var signedAuthority: String {
        let authority = (authority ?? "").lowercased()
        let port = signedScheme == "https" ? ":443" : ":80"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }
}
