import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A challenge is not trusted: no credential goes to an origin that the spec and the application do not allow.
@Suite("Hostile challenges", .timeLimit(.minutes(10)))
struct HostileChallengeTests {
    /// Values of `realm` in a server's challenge, which should name a token server.
    private static let realms = [
        // Other origins.
        "https://evil.example/token", "https://tokens.example.evil.example/token", "https://tokens.example:8443/token",
        "https://evil.example/https://tokens.example/token", "https://tokens.exampleX/token", "https://tokens.example./token",
        "https://evil.example?https://tokens.example/", "https://evil.example#tokens.example",
        "//evil.example/token", "https://xn--tokens-example.evil/",
        // Users.
        "https://alice@tokens.example/token", "https://alice:secret@tokens.example/token", "https://tokens.example@evil.example/",
        "https://tokens.example%40evil.example/", "https://@evil.example/",
        // Other schemes.
        "http://tokens.example/token", "HTTP://tokens.example/token", "ftp://tokens.example/token", "file:///etc/passwd",
        "javascript:alert(1)", "data:text/plain,token", "ws://tokens.example/", "unix:/run/docker.sock",
        // Private addresses.
        "https://127.0.0.1/token", "http://127.0.0.1:8080/token", "http://localhost/token", "https://[::1]/token",
        "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data", "http://169.254.169.254/", "https://192.168.0.1/",
        "https://0.0.0.0/", "https://2130706433/", "https://0x7f000001/",
        // No addresses.
        "token", "/token", "https://", "https:///token", "https://tokens.example:99999/", "not a url at all", "https://[::1",
        "https://tokens.example\\@evil.example/", "https://tokens.example/#fragment",
    ]

    private func parameters() throws -> TokenParameters {
        TokenParameters(
            servers: try ProtectedOrigins([try #require(URL(string: ProgramBench.origin))]),
            tokenServers: try ProtectedOrigins([try #require(URL(string: "https://tokens.example"))]), user: "alice",
            password: "wonderland")
    }

    @Test(arguments: realms) func `a token server that is none of the allowed gets nothing`(_ realm: String) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { _ in
            let quoted = realm.replacing("\\", with: "\\\\")
            return Reply(401, [("WWW-Authenticate", #"Bearer realm="\#(quoted)",service="s""#)])
        }
        await expectError(.addressRefused) { _ = try await bench.get() }
        #expect(bench.transport.sent.map { $0.url.host() } == ["app.example"])
        #expect(bench.transport.sent.allSatisfy { $0["Authorization"] == nil })
    }

    @Test(arguments: [
        ("https://evil.example/token", true), ("https://10.0.0.1/", true), ("http://127.0.0.1:8080/token", false),
        ("https://127.0.0.1:8443/token", false), ("https://localhost/token", false),
        ("http://[::1]/token", false), ("http://tokens.example/token", false), ("https://alice@tokens.example/token", false),
    ]) func `with anywhere every token server with TLS is allowed`(_ realm: String, isAllowed: Bool) async throws {
        var parameters = try parameters()
        parameters.tokenServers = .anywhere
        let bench = ProgramBench(ProgramObserver(parameters: parameters, prompter: nil)) { sent in
            guard sent.url.host() == "app.example" else { return .text(#"{"token":"t"}"#) }
            return sent["Authorization"] == "Bearer t"
                ? .text("data") : Reply(401, [("WWW-Authenticate", #"Bearer realm="\#(realm)",service="s""#)])
        }
        if isAllowed {
            #expect(try await bench.get() == 200)
        } else {
            await expectError(.addressRefused) { _ = try await bench.get() }
            #expect(bench.transport.sent.count == 1)
        }
    }

    @Test func `an empty realm is no challenge`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { _ in
            Reply(401, [("WWW-Authenticate", #"Bearer realm="",service="s""#)])
        }
        #expect(try await bench.get() == 401)
    }

    @Test(arguments: [
        "repository:a:pull\u{9}x", String(repeating: "repository:a:pull ", count: 600), String(repeating: "x", count: 65_536),
    ]) func `a scope that cannot be used ends the request`(_ scope: String) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { _ in
            Reply(401, [("WWW-Authenticate", #"Bearer realm="https://tokens.example/",scope="\#(scope)""#)])
        }
        await expectError(.unusableChallenge) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 1)
    }

    @Test(arguments: ["a&scope=admin", "a#b", "a b", "a%26b=c", "a\\\"b", "ä€", "../..", "a?b"])
    func `a value stays one value of the query`(_ scope: String) async throws {
        let received = Mutex<[URLQueryItem]>([])
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { sent in
            if sent.url.host() == "tokens.example" {
                let items = URLComponents(url: sent.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
                received.withLock { $0 = items }
                return .text(#"{"token":"t"}"#)
            }
            return sent["Authorization"] == nil
                ? Reply(401, [("WWW-Authenticate", #"Bearer realm="https://tokens.example/",scope="\#(scope)""#)]) : .text("data")
        }
        #expect(try await bench.get() == 200)
        let meant = scope.replacing("\\\"", with: "\"")
        #expect(received.withLock { $0 } == [URLQueryItem(name: "scope", value: meant)])
    }

    @Test func `a server that asks for another scope each time is given up`() async throws {
        let count = Mutex(0)
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { sent in
            if sent.url.host() == "tokens.example" { return .text(#"{"token":"t\#(sent.number)"}"#) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Reply(401, [("WWW-Authenticate", #"Bearer realm="https://tokens.example/",scope="s\#(number)""#)])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.count <= 2 * 6)
    }

    @Test func `a token with line ends is not sent`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { sent in
            if sent.url.host() == "tokens.example" { return .text(#"{"token":"t\r\nX-Evil: 1"}"#) }
            return Reply(401, [("WWW-Authenticate", #"Bearer realm="https://tokens.example/""#)])
        }
        await expectError(.unusableChallenge) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 2)
    }

    @Test func `no error has anything of what the server said, or of the password`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: try parameters(), prompter: nil)) { _ in
            Reply(401, [("WWW-Authenticate", #"Bearer realm="https://evil.example/very-secret-path?token=abcdef""#)])
        }
        do {
            _ = try await bench.get()
            Issue.record("no error")
        } catch {
            let text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            for secret in ["very-secret-path", "abcdef", "wonderland"] { #expect(!text.contains(secret)) }
        }
    }
}
