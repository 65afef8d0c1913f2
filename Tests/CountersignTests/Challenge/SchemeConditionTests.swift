import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The decision whether a response is a challenge by its authentication scheme.
@Suite struct SchemeConditionTests {
    private static let url = "https://app.example/data"

    private func signature(
        _ name: String = "Bearer", in field: AuthenticationChallenge.Field = .wwwAuthenticate, statuses: [Int] = [401],
        fields: [MethodDescription.Field] = [], with parameters: [(String, MethodDescription.Match)] = []
    ) -> CompiledSignature {
        CompiledSignature(
            MethodDescription.Challenge(
                name: "s", statuses: statuses, fields: fields,
                schemes: [
                    MethodDescription.Scheme(
                        field: field, name: name,
                        parameters: parameters.map { MethodDescription.Parameter(name: $0.0, match: $0.1) })
                ]))
    }

    private func matches(_ signature: CompiledSignature, _ reply: Reply) throws -> Bool {
        var head = ChallengedHead(reply.head, from: try #require(URL(string: Self.url)))
        return signature.matches(&head)
    }

    private func matches(_ signature: CompiledSignature, _ lines: String...) throws -> Bool {
        try matches(signature, Reply(401, lines.map { ("WWW-Authenticate", $0) }))
    }

    @Test func `a scheme is found among others, whatever its case and place`() throws {
        for lines in [
            ["Bearer"], ["bearer realm=x"], ["Basic realm=\"Bearer\", BEARER"], ["Negotiate", "NTLM, Bearer error=invalid_token"],
            ["Bearer dG9rZW4="],
        ] {
            #expect(try matches(signature(), Reply(401, lines.map { ("www-authenticate", $0) })), "\(lines)")
        }
        for line in ["Bearers", "Basic realm=Bearer", "Basic realm=\"x, Bearer\"", "", "Basic Bearer", "Bearer=x"] {
            #expect(try !matches(signature(), line), "\(line)")
        }
    }

    @Test func `the status and the field count`() throws {
        #expect(try !matches(signature(), Reply(200, [("WWW-Authenticate", "Bearer")])))
        #expect(try !matches(signature(), Reply(401, [("Proxy-Authenticate", "Bearer")])))
        #expect(try !matches(signature(), Reply(401)))
        let proxy = signature("Basic", in: .proxyAuthenticate, statuses: [407])
        #expect(try matches(proxy, Reply(407, [("Proxy-Authenticate", "Basic realm=\"p\"")])))
        #expect(try !matches(proxy, Reply(407, [("WWW-Authenticate", "Basic realm=\"p\"")])))
    }

    @Test func `parameters are compared without quotes and escapes, names without case, values with`() throws {
        let expired = signature(with: [("error", .equals("invalid_token"))])
        #expect(try matches(expired, #"Bearer realm="x", error="invalid_token""#))
        #expect(try matches(expired, "Bearer ERROR=invalid_token"))
        #expect(try matches(expired, #"Bearer error="invalid\_token", error="other""#))
        #expect(try !matches(expired, "Bearer error=Invalid_Token"))
        #expect(try !matches(expired, #"Bearer error=" invalid_token""#))
        #expect(try !matches(expired, #"Bearer error="insufficient_scope", error_description="invalid_token""#))
        #expect(try !matches(expired, "Bearer"))
        #expect(try matches(signature(with: [("Scope", .contains("write"))]), #"Bearer scope="read write""#))
        #expect(try matches(signature(with: [("scope", .prefix("read"))]), #"Bearer scope="read write""#))
        #expect(try !matches(signature(with: [("scope", .prefix("write"))]), #"Bearer scope="read write""#))
        #expect(try matches(signature(with: [("realm", .present)]), #"Bearer realm="""#))
        #expect(try !matches(signature(with: [("realm", .present)]), "Bearer error=x"))
    }

    @Test func `a parameter must be absent from the challenge of the scheme, not from others`() throws {
        let fresh = signature(with: [("error", .absent)])
        #expect(try matches(fresh, "Bearer"))
        #expect(try matches(fresh, "Basic error=x, Bearer realm=y"))
        #expect(try !matches(fresh, "Bearer realm=y, Error=\"\""))
        #expect(try !matches(fresh, "Basic realm=y"))
        let other = signature("Basic", fields: [MethodDescription.Field(name: "WWW-Authenticate", match: .absent)])
        #expect(try !matches(other, "Basic"))
    }

    @Test func `all parameters are those of one challenge`() throws {
        let both = signature(with: [("realm", .equals("x")), ("error", .equals("y"))])
        #expect(try matches(both, "Bearer realm=x, error=y"))
        #expect(try matches(both, "Bearer realm=z, error=y", "Bearer error=y, realm=x"))
        #expect(try !matches(both, "Bearer realm=x, Bearer error=y"))
        #expect(try !matches(both, "Basic realm=x, error=y, Bearer realm=x"))
    }

    @Test func `schemes, fields and status agree together`() throws {
        let marked = signature(fields: [MethodDescription.Field(name: "x-login", match: .present)])
        #expect(try matches(marked, Reply(401, [("WWW-Authenticate", "Bearer"), ("x-login", "")])))
        #expect(try !matches(marked, "Bearer"))
        #expect(try !matches(marked, Reply(401, [("x-login", "")])))
    }

    @Test func `a field is read when a signature asks for it, and not otherwise`() throws {
        let reply = Reply(401, [("WWW-Authenticate", "Bearer"), ("Proxy-Authenticate", "Basic")])
        var head = ChallengedHead(reply.head, from: try #require(URL(string: Self.url)))
        let unasked = [
            signature(statuses: [407]), signature(fields: [MethodDescription.Field(name: "x-login", match: .present)]),
            CompiledSignature(MethodDescription.Challenge(name: "status", statuses: [401], fields: [])),
        ]
        for signature in unasked { _ = signature.matches(&head) }
        #expect(head.serverChallenges == nil && head.proxyChallenges == nil)
        #expect(!signature("Basic").matches(&head) && signature().matches(&head))
        #expect(head.serverChallenges == [AuthenticationChallenge(scheme: "Bearer")] && head.proxyChallenges == nil)
    }

    @Test func `a name that is no token is a defect and never matches`() throws {
        let defects = [signature("Bear er"), signature(""), signature(with: [("re alm", .present)])]
        #expect(defects.allSatisfy { $0.defect != nil })
        #expect(try !matches(signature("Bear er"), "Bear er"))
        let alone = MethodDescription.Scheme(field: .wwwAuthenticate, name: "Bearer", parameters: [])
        #expect(CompiledSignature(.init(name: "s", statuses: [], fields: [], schemes: [alone])).defect == nil)
    }

    @Test func `a session authenticates at the scheme's challenge, with the parameters filled in`() async throws {
        let server = LoginServer()
        let transport = ScriptedTransport { sent in
            server.knows(sent)
                ? .text("data")
                : Reply(401, [("WWW-Authenticate", #"Negotiate, Bearer realm="login-request", error=invalid_token"#)])
        }
        let realm = ChallengePattern.Named("realm", .equals(ProgramTemplate(.slot(3))))
        let method = LoginMethod.login(challenges: [
            ChallengePattern("by-scheme", statuses: [401], schemes: [ChallengePattern.Scheme("bearer", parameters: [realm])])
        ])
        let events = EventRecorder()
        let session = Session(configuration: .test(presenter: server.presenter(), events: events), transport: transport)
        session.register(try server.observer(method))
        #expect(try await session.send(.to(Self.url)).text() == "data")
        #expect(transport.sent.count == 2 && server.session == 1)
        #expect(events.count(.challenged(signature: "by-scheme")) == 1)

        var parameters = try server.parameters()
        parameters.value = "another realm"
        let other = Session(configuration: .test(presenter: server.presenter()), transport: transport)
        other.register(LoginObserver(name: "other", authenticator: LoginAuthenticator(method: method, parameters: parameters)))
        #expect(try await other.send(.to(Self.url)).head.status == .unauthorized)
        #expect(server.session == 1)
    }
}
