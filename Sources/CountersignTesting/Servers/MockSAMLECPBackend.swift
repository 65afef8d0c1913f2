import HTTPTypes
import Synchronization

/// Answers requests to a mock service provider and its identity provider.
final class MockSAMLECPBackend: Sendable {
    struct State {
        /// The URL of the identity provider for requests.
        var identityProvider = ""
        /// The URL of the service provider for responses.
        var consumer = ""
        /// The pending requests of the service provider by identifier. Each can be answered once.
        var inquiries: [String: Inquiry] = [:]
        /// The responses of the identity provider, by the identifiers of their assertions.
        var responses: [String: [UInt8]] = [:]
        var sessions: Set<String> = []
        var statistics = MockSAMLECP.Statistics()
        var requests: [ReceivedRequest] = []
    }

    /// A request of the service provider for the identity provider.
    struct Inquiry {
        /// The source of the request element.
        let request: [UInt8]
        /// The source of the `RelayState` element; `nil` for none.
        let relayState: [UInt8]?
        /// The path that the client requested.
        let target: String
    }

    private static let cookie = "session"

    let gates = MockGates()
    let state = Mutex(State())
    private let users: [String: String]
    private let refusesByStatusOfSAML: Bool
    private let oddity: MockSAMLECP.Oddity?
    private let messages: SAMLECPMessages

    init(users: [String: String], refusesByStatusOfSAML: Bool, oddity: MockSAMLECP.Oddity?) {
        self.users = users
        self.refusesByStatusOfSAML = refusesByStatusOfSAML
        self.oddity = oddity
        messages = SAMLECPMessages(oddity: oddity)
    }

    // MARK: Service provider

    func serve(_ request: MockRequest) async -> MockResponse {
        guard request.method != .post || request.path != "/paos" else {
            return state.withLock { state in
                state.requests.append(ReceivedRequest(request))
                return consume(request, &state)
            }
        }
        await gates.pass(request.path)
        return state.withLock { state in
            state.requests.append(ReceivedRequest(request))
            state.statistics.sends += 1
            let sessions = request.cookieValues(Self.cookie)
            if oddity != .refusedSessions, sessions.contains(where: state.sessions.contains) {
                state.statistics.answered += 1
                return .text("data\n", status: .ok)
            }
            guard request.announcesProfile else {
                state.statistics.unannounced += 1
                return .page("<!doctype html><title>Forbidden</title><p>Log in first.</p>", status: .forbidden)
            }
            state.statistics.challenges += 1
            return ask(for: request.path, &state)
        }
    }

    /// Returns the authentication request for a resource.
    private func ask(for path: String, _ state: inout State) -> MockResponse {
        let id = "_\(Token.make())"
        let message = messages.challenge(
            id: id, consumer: state.consumer, identityProvider: state.identityProvider, relayState: "\(Token.make())&\"<ü\(path)")
        if let envelope = SOAPEnvelope(message.utf8), let written = envelope.content("AuthnRequest", in: SAMLECPMessages.samlp) {
            let relayState = envelope.block("RelayState", in: SAMLECPMessages.profile)?.source
            state.inquiries[id] = Inquiry(request: written.source, relayState: relayState, target: path)
        }
        // Servers set such a cookie to test whether the client stores cookies. It belongs to no session.
        return .soap(message, type: "application/vnd.paos+xml").settingCookie(Self.cookie, to: "none")
    }

    /// Consumes a response of the identity provider.
    private func consume(_ request: MockRequest, _ state: inout State) -> MockResponse {
        guard let envelope = request.envelope("application/vnd.paos+xml") else { return reject(.badRequest, &state) }
        if envelope.content("Fault", in: SOAPEnvelope.namespace) != nil {
            state.statistics.faults += 1
            return MockResponse(status: .ok)
        }
        guard oddity != .forgottenRequests, let response = envelope.content("Response", in: SAMLECPMessages.samlp),
            let id = response.attributes["InResponseTo"], let inquiry = state.inquiries[id],
            envelope.block("RelayState", in: SAMLECPMessages.profile)?.source == inquiry.relayState,
            envelope.block("Response", in: SAMLECPMessages.paos)?.attributes["refToMessageID"] == messages.messageID(of: id),
            let assertion = response.first("Assertion", in: SAMLECPMessages.saml)?.attributes["ID"],
            state.responses[assertion] == response.source
        else { return reject(.badRequest, &state) }
        state.inquiries[id] = nil
        state.responses[assertion] = nil
        state.statistics.logins += 1
        let session = Token.make()
        state.sessions.insert(session)
        return MockResponse(status: .seeOther, fields: [.location: inquiry.target]).settingCookie(Self.cookie, to: session)
    }

    private func reject(_ status: HTTPResponse.Status, _ state: inout State) -> MockResponse {
        state.statistics.rejections += 1
        return .text("This message is invalid or unexpected.\n", status: status)
    }

    // MARK: Identity provider

    func identify(_ request: MockRequest) -> MockResponse {
        state.withLock { state in
            state.requests.append(ReceivedRequest(request))
            guard request.path == "/ecp" else { return .text("not found\n", status: .notFound) }
            guard request.method == .post else { return .notAllowed(allow: "POST") }
            return answer(request, &state)
        }
    }

    private func answer(_ request: MockRequest, _ state: inout State) -> MockResponse {
        // The header blocks of the service provider's message are for the client, which must remove them.
        guard let envelope = request.envelope("text/xml"), envelope.header.isEmpty,
            let asked = envelope.content("AuthnRequest", in: SAMLECPMessages.samlp), let id = asked.attributes["ID"],
            state.inquiries[id]?.request == asked.source
        else { return reject(.internalServerError, &state) }
        guard oddity != .page else { return .page("<!doctype html><title>Error</title><p>Something is wrong.</p>") }
        guard let user = user(of: request) else {
            state.statistics.refusals += 1
            return refusal(of: id, state)
        }
        let assertion = "_\(Token.make())"
        let message = messages.response(to: id, consumer: state.consumer, assertion: assertion, user: user)
        // In place of a signature, the response is recorded for comparison at the service provider.
        state.responses[assertion] = SOAPEnvelope(message.utf8)?.content("Response", in: SAMLECPMessages.samlp)?.source
        state.statistics.assertions += 1
        return .soap(message, type: "text/xml; charset=utf-8")
    }

    private func refusal(of id: String, _ state: State) -> MockResponse {
        guard refusesByStatusOfSAML else {
            var response = MockResponse.page("<!doctype html><title>Unauthorized</title>", status: .unauthorized)
            response.fields[.wwwAuthenticate] = "Basic realm=\"Identity provider\", charset=\"UTF-8\""
            return response
        }
        return .soap(messages.refusal(of: id, consumer: state.consumer), type: "text/xml; charset=utf-8")
    }

    /// Returns the user of HTTP Basic; `nil` if there is none or the password is wrong.
    private func user(of request: MockRequest) -> String? {
        request.basicCredentials.flatMap { users[$0.user] == $0.password ? $0.user : nil }
    }
}

extension MockRequest {
    /// Whether the client announces support of the profile (Reverse HTTP Binding for SOAP, section 9).
    fileprivate var announcesProfile: Bool {
        let types = fields[values: .accept].flatMap { $0.split(separator: ",") }
        let names = types.map { $0.prefix { $0 != ";" }.drop { $0 == " " } }
        guard let field = fields[.paos], names.contains("application/vnd.paos+xml") else { return false }
        let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
        let version = parts.first { $0.hasPrefix("ver=") }
        return version?.contains("\"\(SAMLECPMessages.paos)\"") == true
            && parts.contains { $0 == "\"\(SAMLECPMessages.profile)\"" }
    }

    /// Returns the SOAP message in the body; `nil` if the media type differs, the body is too long, or it is not a message.
    fileprivate func envelope(_ type: String) -> SOAPEnvelope? {
        guard fields[.contentType]?.split(separator: ";").first?.lowercased() == type, body.count == bodyLength else { return nil }
        return SOAPEnvelope(body)
    }
}

extension MockResponse {
    fileprivate static func soap(_ message: String, type: String) -> MockResponse {
        MockResponse(status: .ok, fields: [.contentType: type, .cacheControl: "no-store"], body: message.utf8)
    }
}

extension HTTPField.Name {
    fileprivate static let paos = HTTPField.Name(constant: "PAOS")
}
