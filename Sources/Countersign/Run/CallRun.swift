#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Sends one ``HTTPCall`` and reads its response.
struct CallRun: Sendable {
    /// The error of a login that a server refused with a response that the spec describes.
    struct Refusal: Error {
        /// The request; `nil` if it was a login page.
        let call: HTTPCall?
        let origin: Origin?
        /// `nil` for a login page.
        let status: Int?
        /// The error code of the response by RFC 6749; `nil` if it has none.
        let code: String?
        /// The server's explanation, as ``EchoedSecrets/line(_:without:)`` returns it; `nil` if the response has none.
        let message: String?
        /// The difference between this machine's clock and the server's, in words, if it can be the reason; otherwise `nil`.
        var clocks: String?
        /// The time for which the server asks to wait; `nil` if it did not say.
        var retryAfter: Duration?

        /// Whether the reason is the server's own state, so that the same login can succeed later. The status does not count,
        /// since the spec says that the response is a refusal.
        var isOutage: Bool { code.map { CountersignError.isOutage(code: $0) } ?? false }
    }

    /// The maximum size of a response body in bytes.
    private static var maximumBodySize: Int { 1 << 20 }

    /// The destination of a request, and the status of its response.
    struct Place: Sendable {
        let method: HTTPRequest.Method
        let origin: Origin?
        /// `nil` if there is no response.
        var status: Int?
    }

    let call: HTTPCall
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]
    /// The cookies that the request carries and its response changes; `nil` for the session's.
    let cookies: CookieJar?
    /// The secrets that are removed from a server's message.
    let secrets: Set<String>
    /// The user's session, which needs the credential; `nil` if it is the session that sends the request.
    var user: Session?
    /// Whether the call is for a published document, so that its URL is not a template.
    var isPublication = false
    /// `nil` before the request is sent.
    private(set) var place: Place?
    /// The increase of the next pause that the response asks for.
    private(set) var delay = Duration.zero
    /// The further URLs of captures with several, by slot; see ``CompiledChallenge/furtherURLs(_:)``.
    private(set) var furtherURLs: [Int: [URL]] = [:]

    /// - Returns: The captured values of the response, by slot.
    /// - Throws: ``Refusal``; ``StepFailure``; ``CountersignError``; `ServerPinError`; `CancellationError`.
    mutating func said() async throws -> [Int: ProgramValue] { try await said(isRepeated: false) }

    /// Does the same, but a logout does not cancel the request: if its response has the credential, the logout can revoke that.
    mutating func saidToTheEnd() async throws -> [Int: ProgramValue] {
        guard method.revokesUnused, let scope = FlightScope.current else { return try await said() }
        let sending = Task { [run = self] () -> (CallRun, Result<[Int: ProgramValue], any Error>) in
            var run = run
            let result: Result<[Int: ProgramValue], any Error>
            do { result = .success(try await run.said()) } catch { result = .failure(error) }
            return (run, result)
        }
        let (run, result) = await withTaskCancellationHandler {
            await sending.value
        } onCancel: { [user = user ?? session] in
            if scope.isWanted || user.isClosed { sending.cancel() }
        }
        self = run
        return try result.get()
    }

    /// - Parameter isRepeated: Whether the request is repeated with a nonce that the server demanded.
    private mutating func said(isRepeated: Bool) async throws -> [Int: ProgramValue] {
        let (request, url) = try await request()
        // The user may have logged out in the meantime.
        try FlightScope.requireWanted()
        place = Place(method: request.head.method, origin: Origin(url))
        let response = try await answered { try await session.send(request, involvingObservers: call.usesSession) }
        place?.status = response.head.status.code
        let answers = call.answers.compactMap { answer in
            CompiledChallenge(answer.pattern, values, isAnswer: true).map {
                (pattern: $0, isRefusal: answer.isRefusal, delay: answer.delay)
            }
        }
        var head = ChallengedHead(response.head, from: url)
        let expected = answers.first { $0.pattern.signature.matches(&head) }
        var body: [UInt8] = []
        if method.isOperation, let expected, !expected.pattern.comparesBody {
            // The head shows that the operation was done, so the body does not matter.
            response.body.cancel()
        } else {
            do {
                body = try await self.body(of: response)
            } catch  where expected == nil {
                // No answer matches the head, so the failure needs only the status.
                try Task.checkCancellation()
            }
        }
        var reading = ResponseReading(response.head, from: url, body: body, judgedBy: session.cookies)
        if noteNonce(of: response.head, from: url), !isRepeated, reading.json()?["/error"]?.text == proofNonceError {
            return try await said(isRepeated: true)
        }
        for answer in answers where answer.pattern.matches(&reading) {
            guard !answer.isRefusal else { throw refusal(from: url, response.head, &reading) }
            delay = answer.delay
            do throws(CountersignError) {
                let values = try answer.pattern.values(&reading)
                furtherURLs = answer.pattern.furtherURLs(&reading)
                return values
            } catch {
                // The response to an operation is not a challenge, so the error must not say so.
                guard method.isOperation, error.code == .unusableChallenge else {
                    throw StepFailure(.missing, error.detail, error: error)
                }
                throw failure(.missing, error.detail)
            }
        }
        let retryAfter = RetryAfter.duration(in: response.head.headerFields, arrival: Date())
        var error: String?
        if case .text(let code)? = reading.json()?["/error"] {
            error = code.asErrorCode.map { "the server's response has the error '\($0)'" }
        }
        if let expected {
            // The lack of an accepted response says more than that of a refusal.
            let accepted = answers.first { !$0.isRefusal && $0.pattern.signature.matches(&head) }
            throw failure(.missing, error ?? (accepted ?? expected).pattern.lack(of: &reading), retryAfter)
        }
        let message = call.message.flatMap { reading.json()?[$0]?.text }
        throw failure(.status, message.flatMap { EchoedSecrets.line($0, without: secrets) } ?? error ?? "", retryAfter)
    }

    /// Stores the nonce that the server requires in the next proof.
    ///
    /// - Returns: Whether a refusal contains a nonce. The missing nonce is the reason if its error code says so (RFC 9449,
    ///   section 8).
    private func noteNonce(of response: HTTPResponse, from url: URL) -> Bool {
        guard call.proof != nil, let origin = Origin(url), method.nonces.note(response, from: origin) != nil else { return false }
        return [400, 401].contains(response.status.code)
    }

    // MARK: Failures

    private func refusal(from url: URL, _ head: HTTPResponse, _ reading: inout ResponseReading) -> Refusal {
        let json = reading.json()
        let message = json?[call.message ?? "/error_description"]?.text
        return Refusal(
            call: call, origin: Origin(url), status: head.status.code, code: json?["/error"]?.text?.asErrorCode,
            message: message.flatMap { EchoedSecrets.line($0, without: secrets) }, clocks: clocks(head),
            retryAfter: RetryAfter.duration(in: head.headerFields, arrival: Date()))
    }

    /// Returns the difference between this machine's clock and the server's, in words, if the request has a signed time and the
    /// difference is more than half a minute; otherwise `nil`. Servers refuse such a request without saying why.
    private func clocks(_ head: HTTPResponse) -> String? {
        let isSignedClient = call.client?.key.flatMap { $0.text(values) } != nil
        let isSigned = call.signature.map { $0.clock == nil } ?? false
        guard isSignedClient || isSigned || call.proof != nil,
            let date = head.headerFields[.date].flatMap({ CookieDate.date(from: $0[...]) })
        else { return nil }
        let seconds = Int(Date().timeIntervalSince(date).rounded())
        guard abs(seconds) > 30 else { return nil }
        return "this machine's clock is \(abs(seconds)) seconds \(seconds > 0 ? "ahead of" : "behind") the server's"
    }

    /// Whether the request is an operation rather than a part of a login.
    private var isOperation: Bool { call.usesSession || method.isOperation }

    /// Returns the failure for an unexpected response.
    private func failure(_ kind: ProgramStep.Failure, _ detail: String, _ retryAfter: Duration? = nil) -> StepFailure {
        // A request that the session authenticates is an operation, so it is an operation that is refused, not a login.
        let code: CountersignError.Code =
            isOperation ? (kind == .status ? .operationRefused : .answerRefused) : .unexpectedAnswer
        let isOutage = (place?.status).map { CountersignError.isOutage(status: $0) } ?? false
        let usual =
            method.isOperation
            ? "the server did not perform the operation '\(method.program.name)'"
            : isOutage ? "the server cannot answer at present" : "the spec does not describe the server's response"
        var error = CountersignError(
            code, detail: detail.isEmpty ? usual : detail, requestMethod: call.method,
            origin: place?.origin, status: place?.status)
        error.retryAfter = retryAfter
        return StepFailure(kind, detail, error: error)
    }

    /// Waits for a server, and converts its failures to a ``StepFailure``.
    private func answered<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as TransportError {
            throw StepFailure(.network, error.detail, error: error)
        } catch let error as CountersignError where error.code == .timedOut {
            throw StepFailure(.network, error.detail, error: error)
        } catch let error as CountersignError where error.code == .responseTooLarge && isOperation {
            throw failure(.missing, "the response has more than \(Self.maximumBodySize) bytes")
        }
    }

    private func body(of response: SessionResponse) async throws -> [UInt8] {
        let configuration = session.configuration
        return try await answered {
            do {
                return try await response.body.collect(
                    upTo: Self.maximumBodySize, within: configuration.requestTimeout, clock: configuration.clock)
            } catch let error as TransportError {
                // The head of the response has arrived, so the server may have processed the request.
                throw TransportError(error.reason, detail: error.detail, requestMayHaveBeenProcessed: true)
            }
        }
    }

    // MARK: Requests

    private func request() async throws -> (SessionRequest, URL) {
        guard let method = HTTPRequest.Method(call.method) else {
            throw CountersignError(.invalidRequest, detail: "'\(call.method)' is not an HTTP method")
        }
        if let slot = call.url.loneSlot, values[slot] == .absent {
            let detail = "the server does not provide '\(self.method.program.slots[slot].name)'"
            throw StepFailure(.missing, detail, self.method.isOperation ? .answerRefused : .unexpectedAnswer)
        }
        let address = try self.method.address(call.url.url(values), calledAs: self.method.spelling(of: call.url))
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
        let body = try await body(&head.headerFields)
        if let signer = try call.signature?.signer(values) {
            signer.sign(&head, payload: signer.payload(of: body, isEncrypted: url.scheme == "https") ?? .bytes([]), at: Date())
        }
        try call.proof?.signer(values, with: self.method.nonces)?.sign(&head, payload: .unsigned, at: Date())
        var request = SessionRequest(head, body: body, followsRedirects: false)
        request.cookies = cookies
        request.isForNamedServer = self.method.namesServer(of: url, from: isPublication ? nil : call.url)
        if let slot = call.identity {
            guard case .identity(let identity) = values[slot] else {
                throw CountersignError(.credentialMissing, detail: "there is no certificate for the connection")
            }
            request.identity = identity
        }
        if let texts = call.pins.map({ values[$0].texts }), !texts.isEmpty { request.pins = try ServerPins(texts) }
        return (request, url)
    }

    private func body(_ fields: inout HTTPFields) async throws -> RequestBody {
        // Some servers refuse a POST without a length. Bytes have a length, even if they are empty.
        guard let content = call.body else { return ["POST", "PUT"].contains(call.method) ? .bytes([]) : .none }
        // The media type of XML depends on the protocol, so a header field can set it.
        if case .xml = content, fields.contains(.contentType) {} else { fields[.contentType] = content.contentType }
        switch content {
        case .json(let json): return .bytes(Array((json.text(values) ?? "").utf8))
        case .xml(let text):
            guard let body = text.xml(values) else {
                throw CountersignError(.invalidRequest, detail: "a value has a character that is not allowed in XML")
            }
            return .bytes(Array(body.utf8))
        case .form(let members):
            var form = FormParameters(members, values)
            try await call.client?.authenticate(&fields, &form, with: values, of: method)
            return .bytes(Array(form.serialized.utf8))
        case .data(let slot, _): if case .data(let data) = values[slot] { return .bytes(data.bytes) } else { return .none }
        }
    }
}

extension String {
    /// The text if it has the form of an error code (RFC 6749, section 5.2), one word rather than a sentence; otherwise `nil`.
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
