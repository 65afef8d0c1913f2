internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Adds the header fields of ``CredentialPlacement/computed(_:headers:)``: a signature that a spec describes.
struct ComputedFieldsSigner: RequestSigning {
    /// All values by slot.
    let values: [ProgramValue]
    let functions: [ProgramFunction]
    let headers: NamedList<HTTPCall.Member>

    /// The maximum size in bytes of a body that is read into memory.
    private static var maximumBodySize: Int { 16 << 20 }

    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? { usesBody ? body.inMemory : .unsigned }

    func payload(reading body: RequestBody) async throws -> RequestPayload { try await body.collected(upTo: Self.maximumBodySize) }

    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        var message = SignedMessage(request, payload: payload)
        for function in functions { message.computed.append(bytes(of: function, in: message, at: now)) }
        for header in headers {
            guard let name = header.name.text(values).flatMap({ HTTPField.Name($0) }),
                let bytes = header.value.bytes(values, in: message)
            else { continue }
            var field = HTTPField(name: name, value: String(decoding: bytes, as: UTF8.self))
            field.indexingStrategy = .disallow
            request.headerFields[fields: name] = [field]
        }
    }

    private func bytes(of function: ProgramFunction, in message: SignedMessage, at now: Date) -> [UInt8]? {
        switch function {
        case .random: Array(RandomText.make().utf8)
        case .join(let texts): Array(texts.compactMap { $0.bytes(values, in: message) }.joined())
        // `check()` has validated the key.
        case .digest(let digest): (try? digest.text(values, in: message)).map { Array($0.utf8) }
        case .time(let format, let clock): Array(format.text(now, clock, values).utf8)
        // The spec language does not allow these functions here.
        case .totp, .scopes, .same, .value, .json, .merge, .certificate, .signingKey, .thumbprint: nil
        }
    }

    private var usesBody: Bool {
        (functions.flatMap(\.messages) + headers.map(\.value)).contains { $0.pieces.contains(.request(.body)) }
    }

    /// Throws unless requests can be signed with the values.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a key that is invalid in its encoding, and for values that are
    ///   invalid in a header field.
    func check() throws(CountersignError) {
        var message = SignedMessage(HTTPRequest(method: .get, scheme: "https", authority: "", path: "/"), payload: .bytes([]))
        for function in functions {
            if case .digest(let digest) = function { _ = try digest.text(values, in: message) }
            message.computed.append(bytes(of: function, in: message, at: Date(timeIntervalSince1970: 0)))
        }
        for header in headers {
            guard let name = header.name.text(values).flatMap({ HTTPField.Name($0) }), !name.isOfConnection else {
                throw CountersignError(
                    .invalidRequest,
                    detail: "the credential cannot be sent: the name of its header field is not allowed in requests")
            }
            guard let bytes = header.value.bytes(values, in: message) else { continue }
            guard HTTPField.isValidValue(String(decoding: bytes, as: UTF8.self)) else {
                throw CountersignError(
                    .invalidRequest,
                    detail: "the credential cannot be sent: it has a character that is not allowed in a header field")
            }
        }
    }
}

extension ComputedFieldsSigner: RedactedDescription {}

/// A request whose parts are signed.
struct SignedMessage {
    private let parts: [RequestPart: String]
    private let origin: String
    private let body: [UInt8]?
    /// The results of the functions so far; `nil` for absent values.
    var computed: [[UInt8]?] = []

    init(_ request: HTTPRequest, payload: RequestPayload) {
        let target = request.path ?? "/"
        let path = target.prefix { $0 != "?" }
        parts = [
            .method: request.method.rawValue, .host: request.signedAuthority, .path: String(path),
            .query: String(target.dropFirst(path.count + 1)), .target: target,
        ]
        origin = request.url.flatMap { Origin($0) }?.description ?? ""
        if case .bytes(let bytes) = payload { body = bytes } else { body = nil }
    }

    fileprivate func bytes(_ piece: ProgramTemplate.Piece) -> [UInt8]? {
        switch piece {
        case .text, .slot: nil
        case .requestOrigin: Array(origin.utf8)
        case .request(.body): body
        case .request(let part): parts[part].map { Array($0.utf8) }
        case .computed(let number): computed.indices.contains(number) ? computed[number] : nil
        }
    }
}

extension ProgramTemplate {
    /// Returns the bytes of the text; `nil` if a value is absent.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - message: The request to sign, if there is one.
    func bytes(_ values: [ProgramValue], in message: SignedMessage?) -> [UInt8]? {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): bytes += Array(text.utf8)
            case .slot(let slot):
                guard let text = values[slot].text else { return nil }
                bytes += Array(text.utf8)
            case .requestOrigin, .request, .computed:
                guard let part = message?.bytes(piece) else { return nil }
                bytes += part
            }
        }
        return bytes
    }
}

extension ProgramFunction {
    /// The templates that can contain parts of a request.
    fileprivate var messages: [ProgramTemplate] {
        switch self {
        case .join(let texts), .scopes(let texts), .same(let texts): texts
        case .digest(let digest): digest.templates
        case .random, .totp, .value, .json, .merge, .certificate, .time, .signingKey, .thumbprint: []
        }
    }
}

extension TimeFormat {
    /// Returns the current time, by the server's clock if its offset is known.
    func text(_ now: Date, _ clock: Int?, _ values: [ProgramValue]) -> String {
        var date = now
        if let clock, case .duration(let offset) = values[clock] { date += offset / .seconds(1) }
        return text(date)
    }
}
