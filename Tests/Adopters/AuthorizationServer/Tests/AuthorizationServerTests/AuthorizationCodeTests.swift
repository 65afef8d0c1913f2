import Canaille
import CountersignTesting
import Testing

extension `Tokens of an OAuth 2 server not written here` {
    struct `Authorization code` {
        @Test(arguments: [Person.alice, .jürgen])
        func `a user with a second factor logs in and the challenged request is sent again`(person: Person) async throws {
            let application = Application(of: person, in: try Lab())
            #expect(try await application.userinfo() == person.name)
            #expect(application.presenter.count == 1)
            #expect(application.events.count(.challenged(signature: "bearer")) == 1)
            let token = try #require(application.token)
            #expect(token.refreshToken != nil)
            #expect(token.scopes == ["openid", "profile", "email"])
            #expect(token.expiryDate != nil)
            // The next request carries the token, so there is no second login.
            #expect(try await application.userinfoNow() == person.name)
            #expect(application.presenter.count == 1)
            #expect(application.events.count(.challenged(signature: "bearer")) == 1)
        }

        @Test func `a client with a secret authenticates, too`() async throws {
            let application = Application(.confidential, in: try Lab())
            #expect(try await application.userinfo() == "alice")
        }

        @Test func `a logout revokes the tokens of a client with a secret`() async throws {
            let lab = try Lab()
            let first = Application(.confidential, in: lab)
            #expect(try await first.userinfo() == "alice")
            let token = try #require(first.token)
            try await first.logOut()
            #expect(first.token == nil)
            // The server takes neither token any more.
            let second = try Application(.confidential, in: lab).having(token)
            let error = await #expect(throws: OAuth2Error.self) { try await second.userinfo() }
            #expect(error?.serverError?.code == "invalid_grant")
            #expect(second.events.count(.challenged(signature: "bearer")) == 1)
        }

        @Test func `twenty simultaneous requests take one login`() async throws {
            let lab = try Lab()
            let application = Application(in: lab)
            try await lab.nextToken()
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await application.userinfoNow() } }
                for try await person in group { #expect(person == "alice") }
            }
            #expect(application.presenter.count == 1)
            #expect(application.events.authentications == 1)
        }

        @Test(arguments: [
            (Person(name: "alice", password: "not the password", factor: Person.alice.factor), "password"),
            (Person(name: "alice", password: "wonderland", factor: Person.alice.factor, ownsFactor: false), "otp"),
        ])
        func `without the password or the second factor there is no token`(person: Person, page: String) async throws {
            let application = Application(of: person, in: try Lab())
            do {
                _ = try await application.userinfo()
                Issue.record("the login went through")
            } catch OAuth2Error.webView(PresentationFailure.refused(let error as FormFillingError)) {
                #expect(error.reason == .loginRefused)
                #expect(error.page == "https://localhost:9448/auth/\(page)")
                #expect(!"\(error)".contains(person.password))
            }
            #expect(application.token == nil)
        }

        @Test func `an answer of another issuer is refused`() async throws {
            let application = Application(in: try Lab(), expecting: "https://localhost:9449")
            let error = await #expect(throws: CountersignError.self) { try await application.userinfo() }
            #expect(error?.code == .answerRefused)
            #expect(error?.detail.contains("'iss'") == true)
            #expect(application.token == nil)
        }
    }
}
