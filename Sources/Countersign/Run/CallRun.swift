#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Sends one ``HTTPCall`` and reads its answer.
struct CallRun {
    /// A server has refused the login, by an answer that the spec knows.
    struct Refusal: Error {
        /// The request; `nil` if it was a login page.
        let call: HTTPCall?
        let origin: Origin?
        /// `nil` for a login page.
        let status: Int?
        /// What the server says of it by the error code of RFC 6749, if it does.
        let code: String?
    }

    /// More than this is no answer to a login.
    private static var longestBody: Int { 1 << 20 }

    let call: HTTPCall
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]
    /// The cookies that it carries and changes; `nil` for the session's.
    let cookies: CookieJar?

    /// - Returns: What the answer says, by slot.
    /// - Throws: ``Refusal``; ``CountersignError``; ``TransportError``; `CancellationError`.
    func said() async throws -> [Int: ProgramValue] {
        let (request, url) = try request()
        // Not for a user who has logged out meanwhile.
        try FlightScope.requireWanted()
        let response = try await session.send(request, involvingObservers: false)
        let status = response.head.status.code
        let configuration = session.configuration
        let body: [UInt8]
        do {
            body = try await response.body.collect(
                upTo: Self.longestBody, within: configuration.requestTimeout, clock: configuration.clock)
        } catch let error as TransportError {
            // Its head has arrived.
            throw TransportError(error.reason, detail: error.detail, requestMayHaveBeenProcessed: true)
        }
        var reading = ResponseReading(response.head, from: url, body: body, judgedBy: session.cookies)
        for answer in call.answers {
            guard let pattern = CompiledChallenge(answer.pattern, values), pattern.matches(&reading) else { continue }
            guard !answer.isRefusal else { throw refusal(from: url, status, &reading) }
            return try pattern.values(&reading)
        }
        var error = CountersignError(
            .unexpectedAnswer, detail: "the server's answer is none that the spec knows", requestMethod: call.method,
            origin: Origin(url), status: status)
        error.pause = RetryAfter.duration(in: response.head.headerFields, arrival: Date())
        throw error
    }

    private func refusal(from url: URL, _ status: Int, _ reading: inout ResponseReading) -> Refusal {
        Refusal(call: call, origin: Origin(url), status: status, code: reading.json()?["/error"]?.text?.asErrorCode)
    }

    private func request() throws -> (SessionRequest, URL) {
        guard let address = call.url.url(values), let origin = Origin(address), address.user == nil,
            let method = HTTPRequest.Method(call.method)
        else { throw CountersignError(.invalidRequest, detail: "the address of a login is none") }
        guard origin.isPrivate else {
            throw CountersignError(.insecureDestination, detail: "a login would be sent unencrypted", origin: origin)
        }
        let url = address.merging(FormParameters(call.query, values))
        var head = HTTPRequest(method: method, url: url, headerFields: [.cacheControl: "no-store"])
        for member in call.headers {
            guard let text = member.name.text(values), let name = HTTPField.Name(text),
                let field = try CredentialPlacement.header(ProgramTemplate(.text(text)), member.value).field(values)
            else { continue }
            head.headerFields[fields: name] = [field]
        }
        if let login = call.login,
            let field = try CredentialPlacement.basic(user: login.user, password: login.password).field(values)
        {
            head.headerFields[fields: .authorization] = [field]
        }
        let body = try body(&head.headerFields)
        var request = SessionRequest(head, body: body, followsRedirects: false)
        request.cookies = cookies
        return (request, url)
    }

    private func body(_ fields: inout HTTPFields) throws -> RequestBody {
        guard let content = call.body else { return .none }
        fields[.contentType] = content.contentType
        switch content {
        case .json(let json): return .bytes(Array((json.text(values) ?? "").utf8))
        case .form(let members):
            var form = FormParameters(members, values)
            try call.client?.authenticate(&fields, &form, with: values)
            return .bytes(Array(form.serialized.utf8))
        }
    }
}

extension HTTPCall.Client {
    /// Identifies the client, and authenticates it where there is a secret.
    ///
    /// - Throws: ``CountersignError/Code/invalidRequest``.
    func authenticate(
        _ fields: inout HTTPFields, _ form: inout FormParameters, with values: [ProgramValue]
    ) throws(CountersignError) {
        guard let identifier = identifier.text(values) else { return }
        var proof = OAuth2Client.Authentication.none
        if let secret = secret?.text(values) {
            switch authentication.text(values) {
            case "client_secret_basic": proof = .basic(secret: secret, encoding: .form)
            case "client_secret_post": proof = .body(secret: secret)
            case "raw_basic": proof = .basic(secret: secret, encoding: .raw)
            default:
                throw CountersignError(
                    .invalidRequest,
                    detail: "a client with a secret authenticates by client_secret_basic, client_secret_post or raw_basic")
            }
        }
        do {
            try OAuth2Client(identifier: identifier, authentication: proof).authenticate(&fields, &form)
        } catch {
            let detail =
                switch error {
                case .colonInIdentifier: "the client's name has a colon, which HTTP Basic cannot carry as it is"
                case .controlCharacter: "the client's name or secret has a control character, which HTTP Basic cannot carry"
                }
            throw CountersignError(.invalidRequest, detail: detail)
        }
    }
}

extension String {
    /// The text if it could be an error code (RFC 6749, section 5.2): one word, and not some server's sentence.
    var asErrorCode: String? {
        let isCode =
            !isEmpty && utf8.count <= 64
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
        return isCode ? self : nil
    }
}
