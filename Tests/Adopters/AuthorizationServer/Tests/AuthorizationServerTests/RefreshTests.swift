import Canaille
import Testing

extension `Tokens of an OAuth 2 server not written here` {
    struct Refresh {
        @Test func `an expired token is renewed before it is sent, and its refresh token replaced`() async throws {
            let lab = try Lab()
            let first = Application(in: lab)
            #expect(try await first.userinfo() == "alice")
            let second = try Application(in: lab).having(first.token?.expired)
            #expect(try await second.userinfo() == "alice")
            #expect(second.presenter.count == 0)
            #expect(second.events.count(.challenged(signature: "bearer")) == 0)
            let (old, new) = (try #require(first.token), try #require(second.token))
            #expect(new.accessToken != old.accessToken)
            #expect(new.refreshToken != nil && new.refreshToken != old.refreshToken)
            #expect(new.scopes == old.scopes)
        }

        @Test func `a challenged token is renewed once for twenty requests, and again with the new refresh token`() async throws {
            let lab = try Lab()
            let first = Application(in: lab)
            _ = try await first.userinfo()
            let refreshToken = try #require(first.token?.refreshToken)
            let second = try Application(in: lab).having(
                OAuth2Token(accessToken: "unknown", tokenType: "Bearer", refreshToken: refreshToken))
            try await lab.nextToken()
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await second.userinfoNow() } }
                for try await person in group { #expect(person == "alice") }
            }
            #expect(second.events.authentications == 1)
            #expect(second.presenter.count == 0)
            let third = try Application(in: lab).having(second.token?.expired)
            #expect(try await third.userinfo() == "alice")
            #expect(third.presenter.count == 0)
        }

        @Test func `a refresh token that was used before ends the session once, and the next request logs in`() async throws {
            let lab = try Lab()
            let first = Application(in: lab)
            _ = try await first.userinfo()
            let used = try #require(first.token?.expired)
            let second = try Application(in: lab).having(used)
            _ = try await second.userinfo()

            let third = try Application(in: lab).having(used)
            try await lab.nextToken()
            let codes = await withTaskGroup { group in
                for _ in 0..<20 { group.addTask { await self.refusal(of: third) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            // A late request may have started another login, because the session had ended by then.
            #expect(codes.subtracting(["none: alice"]) == ["invalid_grant"])
            #expect(third.events.count(.expired) == 1)
            #expect(try await third.userinfo() == "alice")
            #expect(third.presenter.count == 1)
        }

        /// Returns the server's error code for a request of an application.
        private func refusal(of application: Application) async -> String? {
            do {
                return "none: \(try await application.userinfoNow() ?? "refused")"
            } catch {
                return (error as? OAuth2Error)?.serverError?.code ?? "\(error)"
            }
        }

        @Test(arguments: [false, true])
        func `a revoked token ends the session, and the next request logs in`(isRefreshToken: Bool) async throws {
            let lab = try Lab()
            let application = Application(.confidential, in: lab)
            #expect(try await application.userinfo() == "alice")
            let revoked = try #require(application.token)
            #expect(try await lab.revoke(isRefreshToken ? #require(revoked.refreshToken) : revoked.accessToken) == 200)
            // This server revokes both together, so the renewal is refused.
            let error = await #expect(throws: OAuth2Error.self) { try await application.userinfo() }
            #expect(error?.serverError?.code == "invalid_grant")
            #expect(application.events.count(.expired) == 1)
            #expect(application.token == nil)
            #expect(application.presenter.count == 1)
            #expect(try await application.userinfo() == "alice")
            #expect(application.presenter.count == 2)
            #expect(application.token != nil && application.token != revoked)
        }
    }
}
