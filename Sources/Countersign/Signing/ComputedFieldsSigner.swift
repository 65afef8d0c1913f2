internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Adds the header fields and query parameters of ``CredentialPlacement/computed(_:headers:query:)``: a signature that a spec
/// describes.
struct ComputedFieldsSigner: RequestSigning {
    /// All values by slot.
    let values: [ProgramValue]
    let functions: [ProgramFunction]
    let headers: NamedList<HTTPCall.Member>
    let query: NamedList<HTTPCall.Member>

    /// The names of the query parameters.
    var parameterNames: [String] { query.compactMap { $0.name.text(values) } }

    /// The maximum size in bytes of a body that is read into memory.
    private static var maximumBodySize: Int { 16 << 20 }

    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? { usesBody ? body.inMemory : .unsigned }

    func payload(reading body: RequestBody) async throws -> RequestPayload { try await body.collected(upTo: Self.maximumBodySize) }

    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        let message = message(request, payload: payload, at: now)
        if !query.isEmpty { request.path = message.target }
        for header in headers {
            guard let name = header.name.text(values).flatMap({ HTTPField.Name($0) }),
                let bytes = header.value.bytes(values, in: message)
            else { continue }
            var field = HTTPField(name: name, value: String(decoding: bytes, as: UTF8.self))
            field.indexingStrategy = .disallow
            request.headerFields[fields: name] = [field]
        }
    }

    /// Returns a request with its query parameters, and the results of all functions.
    private func message(_ request: HTTPRequest, payload: RequestPayload, at now: Date) -> SignedMessage {
        var message = SignedMessage(request, payload: payload)
        var rest = query[...]
        for function in functions {
            // A signature covers the parameters before the first one that waits for a result.
            addParameters(from: &rest, to: &message)
            message.computed.append(bytes(of: function, in: message, at: now))
        }
        addParameters(from: &rest, to: &message)
        return message
    }

    /// Adds parameters until one needs a result that is not there yet. Those with an absent value are omitted.
    private func addParameters(from rest: inout Slice<NamedList<HTTPCall.Member>>, to message: inout SignedMessage) {
        while let next = rest.first, message.hasResults(of: next.value) {
            rest = rest.dropFirst()
            guard let name = next.name.text(values), let value = next.value.bytes(values, in: message) else { continue }
            message.append(FormParameters.Parameter(name: name, value: String(decoding: value, as: UTF8.self)))
        }
    }

    private func bytes(of function: ProgramFunction, in message: SignedMessage, at now: Date) -> [UInt8]? {
        switch function {
        case .random: Array(RandomText.make().utf8)
        case .join(let texts): joined(texts, in: message)
        case .encode(let texts, as: let encoding): Array(encoding.text(joined(texts, in: message)).utf8)
        // `check()` has validated the key.
        case .digest(let digest): (try? digest.text(values, in: message)).map { Array($0.utf8) }
        case .time(let format, let clock): Array(format.text(now, clock, values).utf8)
        // The spec language does not allow these functions here.
        case .totp, .scopes, .same, .value, .json, .merge, .certificate, .derive, .part, .signingKey, .thumbprint, .token: nil
        }
    }

    private func joined(_ texts: [ProgramTemplate], in message: SignedMessage) -> [UInt8] {
        Array(texts.compactMap { $0.bytes(values, in: message) }.joined())
    }

    private var usesBody: Bool {
        (functions.flatMap(\.messages) + headers.map(\.value)).contains { $0.pieces.contains(.request(.body)) }
    }

    /// Throws unless requests can be signed with the values.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a key that is invalid in its encoding, for values that are invalid in
    ///   a header field, and for the empty name of a query parameter.
    func check() throws(CountersignError) {
        let message = message(
            HTTPRequest(method: .get, scheme: "https", authority: "", path: "/"), payload: .bytes([]),
            at: Date(timeIntervalSince1970: 0))
        for function in functions {
            if case .digest(let digest) = function { _ = try digest.text(values, in: message) }
        }
        for parameter in query {
            guard let name = parameter.name.text(values), !name.isEmpty else {
                throw CountersignError(
                    .invalidRequest, detail: "the credential cannot be sent: the name of its query parameter is empty")
            }
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
    private var request: HTTPRequest
    private let body: [UInt8]?
    /// The results of the functions so far; `nil` for absent values.
    var computed: [[UInt8]?] = []

    init(_ request: HTTPRequest, payload: RequestPayload) {
        self.request = request
        if case .bytes(let bytes) = payload { body = bytes } else { body = nil }
    }

    /// The path and the query, with the parameters that have been added.
    var target: String { request.path ?? "/" }

    private var path: Substring { target.prefix { $0 != "?" } }

    /// Appends a parameter to the query.
    mutating func append(_ parameter: FormParameters.Parameter) { request.append(parameter) }

    /// Whether all functions have run whose results are in a text.
    fileprivate func hasResults(of text: ProgramTemplate) -> Bool {
        text.pieces.allSatisfy { piece in
            if case .computed(let number) = piece { number < computed.count } else { true }
        }
    }

    fileprivate func bytes(_ piece: ProgramTemplate.Piece) -> [UInt8]? {
        switch piece {
        case .text, .slot: nil
        case .requestOrigin: Array((request.url.flatMap { Origin($0) }?.description ?? "").utf8)
        case .request(let part): bytes(part)
        case .computed(let number): computed.indices.contains(number) ? computed[number] : nil
        }
    }

    private func bytes(_ part: RequestPart) -> [UInt8]? {
        switch part {
        case .method: Array(request.method.rawValue.utf8)
        case .host: Array(request.signedAuthority.utf8)
        case .path: Array(path.utf8)
        case .query: Array(target.utf8.dropFirst(path.utf8.count + 1))
        case .target: Array(target.utf8)
        case .body: body
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
        case .join(let texts), .scopes(let texts), .same(let texts), .encode(let texts, as: _): texts
        case .digest(let digest): digest.templates
        case .random, .totp, .value, .json, .merge, .certificate, .time, .derive, .part, .signingKey, .thumbprint, .token: []
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
