#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The state of a run that obtains a token, in addition to its values, and the resulting token.
struct TokenRun: Sendable {
    let clock: TokenClock
    /// The token to renew; `nil` for a new token.
    let renewing: OAuth2Token?
    /// The token in the response.
    private(set) var issued: OAuth2IssuedToken?
    /// The requested scopes, from the latest `scope` that was sent.
    private var requestedScopes: Set<String> = []
    /// The session whose requests need the token. Another one can send the token requests.
    let user: Session

    init(clock: TokenClock, renewing: OAuth2Token?, for user: Session) {
        self.clock = clock
        self.renewing = renewing
        self.user = user
    }

    /// Stores the requested scope.
    mutating func note(scope: String?) {
        if let scope { requestedScopes = Set(scope.split(separator: " ").map(String.init)) }
    }

    /// Sends the form of a ``TokenCall`` and reads the token. A logout does not cancel the request of a method with a revocation: if
    /// its response has a token, the logout can revoke that.
    ///
    /// - Throws: ``OAuth2TokenFailure``; the method's errors; ``CountersignError``; an error of the application's;
    ///   `CancellationError`.
    mutating func sendToTheEnd(
        _ call: TokenCall, of method: PreparedProgram, with values: [ProgramValue], in session: Session
    ) async throws {
        guard method.revokesUnused, let scope = FlightScope.current else {
            return try await send(call, of: method, with: values, in: session)
        }
        let sending = Task { [run = self] () async throws -> TokenRun in
            var run = run
            try await run.send(call, of: method, with: values, in: session)
            return run
        }
        self = try await withTaskCancellationHandler {
            try await sending.value
        } onCancel: { [user] in
            if scope.isWanted || user.isClosed { sending.cancel() }
        }
    }

    private mutating func send(
        _ call: TokenCall, of method: PreparedProgram, with values: [ProgramValue], in session: Session
    ) async throws {
        let request = try await TokenRequestMaker(method: method, values: values).request(for: call)
        note(scope: request.scope)
        let reader = OAuth2TokenResponseReader(
            requestedScopes: requestedScopes, renewing: renewing, secrets: request.secrets)
        let exchange = TokenCallRun(request: request, session: session, clock: clock, isRenewal: renewing != nil)
        issued = try await TokenRequest.$isUnderWay.withValue(true) { try await exchange.issued(by: reader) }
    }
}

/// A token request that is ready to be sent.
private struct PreparedTokenRequest {
    let head: HTTPRequest
    let body: [UInt8]
    let url: URL
    /// Whether the application names the server; see ``SessionRequest/isForNamedServer``.
    let isForNamedServer: Bool
    /// The secrets that are removed from a server's error text.
    let secrets: [String]
    /// The requested scope; `nil` if the form has none.
    let scope: String?
}

/// Creates token requests from values.
private struct TokenRequestMaker {
    let method: PreparedProgram
    /// All values by slot.
    let values: [ProgramValue]

    func request(for call: TokenCall) async throws -> PreparedTokenRequest {
        let name = method.spelling(of: call.url)
        let url = try method.address(call.url.url(values), calledAs: name)
        var form = FormParameters(call.form, values)
        let scope = form["scope"]
        var fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "application/json", .cacheControl: "no-store",
        ]
        do {
            try await call.client?.authenticate(&fields, &form, with: values, of: method)
        } catch let error as CountersignError {
            throw method.unusable(error.detail, error.code)
        }
        var head = HTTPRequest(method: .post, url: url, headerFields: fields)
        var body = Array(form.serialized.utf8)
        var target = url
        var secrets = form.secrets + [call.client?.secret?.text(values)].compactMap(\.self)
        if let prepare = call.preparation.flatMap(method.preparation) {
            try prepare(&head, &body)
            guard let prepared = head.url else {
                throw CountersignError(
                    .invalidRequest, detail: "the application changed a request so that it has no URL")
            }
            target = try method.address(prepared, calledAs: name)
            secrets += Self.pieces(of: String(decoding: body, as: UTF8.self))
        }
        for field in head.headerFields[values: .authorization] { secrets += Self.pieces(of: field) }
        return PreparedTokenRequest(
            head: head, body: body, url: target, isForNamedServer: method.namesServer(of: target, from: call.url), secrets: secrets,
            scope: scope)
    }

    /// Returns the possible secrets in a text whose format only the application knows: every part of at least 12 bytes.
    private static func pieces(of text: String) -> [String] {
        let separators: Set<Character> = ["&", ":", ",", ";", "\"", "{", "}", "[", "]", " ", "\n", "\r", "="]
        let pieces = text.split { separators.contains($0) }.filter { $0.utf8.count >= 12 }.map(String.init)
        return pieces + pieces.compactMap { FormEncoding.decode($0) }.filter { !pieces.contains($0) }
    }
}

/// Sends one token request.
private struct TokenCallRun {
    let request: PreparedTokenRequest
    let session: Session
    let clock: TokenClock
    let isRenewal: Bool

    func issued(by reader: OAuth2TokenResponseReader) async throws -> OAuth2IssuedToken {
        do {
            let response = try await response()
            let arrival = clock.moment
            let status = response.head.status.code
            let body = try await body(of: response)
            do {
                guard let body else {
                    throw OAuth2TokenFailure(
                        status == 200 ? .response(.tooLarge) : .status, status: status,
                        retryAfter: RetryAfter.duration(in: response.head.headerFields, arrival: arrival.date))
                }
                return try reader.read(
                    status: status, fields: response.head.headerFields, body: body, arrival: arrival, jitter: clock.jitter())
            } catch let failure as OAuth2TokenFailure {
                throw failure.completed(outline: ResponseOutline(response.head, body: body ?? [], at: request.url)).completed(
                    origin: Origin(request.url))
            }
        } catch let failure as OAuth2TokenFailure {
            throw failure.completed(isRenewal: isRenewal)
        }
    }

    private func response() async throws -> SessionResponse {
        try FlightScope.requireWanted()
        do {
            var message = SessionRequest(request.head, body: .bytes(request.body), followsRedirects: false)
            message.isForNamedServer = request.isForNamedServer
            return try await session.send(message)
        } catch let error as TransportError {
            throw OAuth2TokenFailure(error)
        } catch let error as CountersignError where error.code == .timedOut {
            // The server may have processed the request.
            throw lost(.timeout, error.detail)
        }
    }

    /// - Returns: `nil` for a body that is larger than any token response.
    private func body(of response: SessionResponse) async throws -> [UInt8]? {
        do {
            let configuration = session.configuration
            return try await response.body.collect(
                upTo: OAuth2TokenResponseReader.maximumBodySize, within: configuration.requestTimeout,
                clock: configuration.clock)
        } catch let error as CountersignError where error.code == .responseTooLarge {
            return nil
        } catch let error as TransportError {
            throw lost(error.reason, error.detail)
        } catch let error as CountersignError where error.code == .timedOut {
            throw lost(.timeout, error.detail)
        }
    }

    /// Returns the failure of a request that the server may have processed.
    private func lost(_ reason: TransportError.Reason, _ detail: String) -> OAuth2TokenFailure {
        let error = TransportError(reason, detail: detail, requestMayHaveBeenProcessed: true)
        guard let origin = Origin(request.url) else { return OAuth2TokenFailure(error) }
        return OAuth2TokenFailure(error.completed(requestMethod: .post, origin: origin))
    }
}

extension FormParameters {
    /// The values that are removed from a server's error text: all except those of parameters that are not secret in RFC 6749.
    fileprivate var secrets: [String] {
        let publicNames: Set = ["grant_type", "scope", "redirect_uri", "client_id", "response_type"]
        return all.filter { !publicNames.contains($0.name) }.map(\.value)
    }
}
