#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

extension FlowRun {
    /// Sends the form of a request step and reads the token.
    mutating func request(_ step: RequestStep<Values, Failure>) async throws -> OAuth2IssuedToken {
        let url = step.url.value(values)
        try context.check(url, calledAs: step.url.text)
        var form = FormParameters(step.form, values)
        noteScopes(of: form)
        var fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "application/json", .cacheControl: "no-store",
        ]
        let client = step.client?.client(values)
        try authenticate(client, &fields, &form)
        var head = HTTPRequest(method: .post, url: url, headerFields: fields)
        var body = Array(form.serialized.utf8)
        var target = url
        var secrets = form.secrets + [client?.secret].compactMap { $0 }
        if let prepare = step.prepare(values) {
            try prepare(&head, &body)
            guard let prepared = head.url else {
                throw context.error(.invalidRequest, "the application's own change of a request left it without a URL")
            }
            try context.check(prepared, calledAs: step.url.text)
            target = prepared
            secrets += Self.pieces(of: String(decoding: body, as: UTF8.self))
        }
        for field in head.headerFields[values: .authorization] { secrets += Self.pieces(of: field) }
        let reader = OAuth2TokenResponseReader(requestedScopes: requestedScopes, renewing: renewing, secrets: secrets)
        let request = SessionRequest(head, body: .bytes(body), followsRedirects: false)
        return try await TokenRequest.$isUnderWay.withValue(true) { try await send(request, to: target, reading: reader) }
    }

    /// What may be secret in a text whose form only the application knows: everything long enough to be worth stealing.
    private static func pieces(of text: String) -> [String] {
        let separators: Set<Character> = ["&", ":", ",", ";", "\"", "{", "}", "[", "]", " ", "\n", "\r", "="]
        let pieces = text.split { separators.contains($0) }.filter { $0.utf8.count >= 12 }.map(String.init)
        return pieces + pieces.compactMap { FormEncoding.decode($0) }.filter { !pieces.contains($0) }
    }

    /// Remembers what a token is asked to be good for.
    mutating func noteScopes(of parameters: FormParameters) {
        if let scope = parameters["scope"] { requestedScopes = Set(scope.split(separator: " ").map(String.init)) }
    }

    private func authenticate(_ client: OAuth2Client?, _ fields: inout HTTPFields, _ form: inout FormParameters) throws {
        do {
            try client?.authenticate(&fields, &form)
        } catch {
            let detail =
                switch error {
                case .colonInIdentifier: "the client's name has a colon, which HTTP Basic cannot carry as it is"
                case .controlCharacter: "the client's name or secret has a control character, which HTTP Basic cannot carry"
                }
            throw context.invalidArgument?(detail) ?? context.error(.invalidRequest, detail)
        }
    }

    private func send(
        _ request: SessionRequest, to url: URL, reading reader: OAuth2TokenResponseReader
    ) async throws -> OAuth2IssuedToken {
        do {
            let response = try await response(to: request)
            let arrival = context.clock.moment
            let status = response.head.status.code
            let body = try await body(of: response, to: request)
            do {
                guard let body else {
                    throw OAuth2TokenFailure(
                        status == 200 ? .response(.tooLarge) : .status, status: status,
                        retryAfter: RetryAfter.duration(in: response.head.headerFields, arrival: arrival.date))
                }
                return try reader.read(
                    status: status, fields: response.head.headerFields, body: body, arrival: arrival,
                    jitter: context.clock.jitter())
            } catch let failure as OAuth2TokenFailure {
                throw failure.completed(outline: ResponseOutline(response.head, body: body ?? [], at: url)).completed(
                    origin: Origin(url))
            }
        } catch let failure as OAuth2TokenFailure {
            throw failure.completed(isRenewal: renewing != nil)
        }
    }

    private func response(to request: SessionRequest) async throws -> SessionResponse {
        try FlightScope.requireWanted()
        do {
            return try await context.session.send(request)
        } catch let error as TransportError {
            throw OAuth2TokenFailure(error)
        } catch let error as CountersignError where error.code == .timedOut {
            // Nobody knows how far the server has come.
            throw lost(.timeout, error.detail, after: request)
        }
    }

    /// - Returns: `nil` for a body that is larger than any token response.
    private func body(of response: SessionResponse, to request: SessionRequest) async throws -> [UInt8]? {
        do {
            let configuration = context.session.configuration
            return try await response.body.collect(
                upTo: OAuth2TokenResponseReader.maximumBodySize, within: configuration.requestTimeout,
                clock: configuration.clock)
        } catch let error as CountersignError where error.code == .responseTooLarge {
            return nil
        } catch let error as TransportError {
            throw lost(error.reason, error.detail, after: request)
        } catch let error as CountersignError where error.code == .timedOut {
            throw lost(.timeout, error.detail, after: request)
        }
    }

    /// The failure of a request that the server may have processed.
    private func lost(
        _ reason: TransportError.Reason, _ detail: String, after request: SessionRequest
    ) -> OAuth2TokenFailure {
        let error = TransportError(reason, detail: detail, requestMayHaveBeenProcessed: true)
        guard let origin = request.head.url.flatMap({ Origin($0) }) else { return OAuth2TokenFailure(error) }
        return OAuth2TokenFailure(error.completed(requestMethod: request.head.method, origin: origin))
    }
}

extension ClientTemplate {
    /// The client for some values; `nil` without a name.
    fileprivate func client(_ values: Values) -> OAuth2Client? {
        guard let id = id.value(values) else { return nil }
        guard let secret = secret.value(values) else { return OAuth2Client(identifier: id, authentication: .none) }
        let proof: OAuth2Client.Authentication =
            switch authentication {
            case .basic: .basic(secret: secret, encoding: .form)
            case .rawBasic: .basic(secret: secret, encoding: .raw)
            case .body: .body(secret: secret)
            }
        return OAuth2Client(identifier: id, authentication: proof)
    }
}

extension OAuth2Client {
    fileprivate var secret: String? {
        switch authentication {
        case .none: nil
        case .basic(let secret, _), .body(let secret): secret
        }
    }
}

extension FormParameters {
    /// The values that a server's error text must not bring back: all but those of names that are public by RFC 6749.
    fileprivate var secrets: [String] {
        let publicNames: Set = ["grant_type", "scope", "redirect_uri", "client_id", "response_type"]
        return all.filter { !publicNames.contains($0.name) }.map(\.value)
    }
}
