import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A session and a token against cross-site requests, which responses replace.
private struct UpdateParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Update", summary: "A token that responses replace.",
        slots: [.parameter("servers"), .credential("session", isSecret: true), .credential("csrf", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [403])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", .text("\(ProgramBench.origin)/login"),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [.slot(1, from: .header("X-Session")), .slot(2, from: .header("X-Csrf"))]))
                    ]))
        ],
        attach: [.header("X-Session", .slot(1)), .header("X-Csrf", .slot(2))],
        updates: [CredentialUpdate(2, from: .headers(["X-Next-Csrf", "X-Csrf"]))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] {
        let server = URL(string: ProgramBench.origin).flatMap { Origin($0) }
        return [.origins(ProtectedOrigins(origins: Set([server].compactMap(\.self))))]
    }
}

/// The same with a cookie that requests repeat in a header field.
private struct CookieUpdateParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Update", summary: "A token that responses replace.", slots: UpdateParameters.program.slots,
        challenges: UpdateParameters.program.challenges, credential: UpdateParameters.program.credential,
        acquire: UpdateParameters.program.acquire, attach: UpdateParameters.program.attach,
        updates: [CredentialUpdate(2, from: .cookie("csrf"))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { UpdateParameters().slotValues }
}

/// The same with a token that only requests with POST carry.
private struct WriteUpdateParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Update", summary: "A token that responses replace.", slots: UpdateParameters.program.slots,
        challenges: UpdateParameters.program.challenges, credential: UpdateParameters.program.credential,
        acquire: UpdateParameters.program.acquire,
        attach: [.header("X-Session", .slot(1)), .header("X-Csrf", .slot(2), methods: ["POST"])],
        updates: UpdateParameters.program.updates, rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { UpdateParameters().slotValues }
}

/// Fields of a credential that responses replace.
@Suite("Fields that responses replace", .timeLimit(.minutes(10))) struct CredentialUpdateTests {
    private static let login = Reply(200, [("X-Session", "s"), ("X-Csrf", "c0")])

    private func bench(
        _ observer: any SessionObserver = ProgramObserver(parameters: UpdateParameters(), prompter: nil),
        _ script: @escaping @Sendable (ScriptedTransport.Sent) -> Reply
    ) -> ProgramBench {
        ProgramBench(observer) { sent in sent.path == "/login" ? Self.login : script(sent) }
    }

    private func tokens(_ bench: ProgramBench) -> [String?] { bench.transport.sent.map { $0["X-Csrf"] } }

    @Test func `the next request has the value of the latest response, without another login`() async throws {
        let number = Mutex(0)
        let bench = bench { sent in
            number.withLock { number in
                guard sent["X-Csrf"] == "c\(number)", sent["X-Session"] == "s" else { return Reply(403) }
                number += 1
                return Reply(200, [("X-Next-Csrf", "c\(number)"), ("X-Csrf", "former")])
            }
        }
        for _ in 0..<3 { #expect(try await bench.get() == 200) }
        #expect(tokens(bench) == [nil, nil, "c0", "c1", "c2"])
    }

    @Test func `a refusal with a new value is answered by it, without another login`() async throws {
        let bench = bench { sent in
            sent["X-Csrf"] == "c1" ? .text("data") : Reply(403, sent["X-Csrf"] == nil ? [] : [("X-Csrf", "c1")])
        }
        #expect(try await bench.get() == 200)
        #expect(tokens(bench) == [nil, nil, "c0", "c1"])
    }

    @Test func `a refusal with a new value each time is answered once, and then by the rules`() async throws {
        let number = Mutex(0)
        let bench = bench { sent in
            guard sent["X-Csrf"] != nil else { return Reply(403) }
            let next = number.withLock { number in
                number += 1
                return number
            }
            return Reply(403, [("X-Csrf", "n\(next)")])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(tokens(bench) == [nil, nil, "c0", "n1"])
    }

    @Test func `a hundred requests with a former value share the current one`() async throws {
        let bench = bench { sent in
            if sent.path == "/rotate" { return Reply(200, [("X-Csrf", "c1")]) }
            return ["c0", "c1"].contains(sent["X-Csrf"]) ? .text("data") : Reply(403)
        }
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("/rotate") == 200)
        #expect(try await bench.get(times: 100) == [200: 100])
        #expect(tokens(bench).suffix(100).allSatisfy { $0 == "c1" })
        #expect(bench.transport.sent.filter { $0.path == "/login" }.count == 1)
    }

    @Test func `a response to a request without the credential changes nothing`() async throws {
        let bench = bench { sent in
            if sent.url.host() == "other.example" { return Reply(200, [("X-Csrf", "foreign")]) }
            return sent["X-Csrf"] == "c0" ? .text("data") : Reply(403)
        }
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("https://other.example/data") == 200)
        #expect(try await bench.get() == 200)
        #expect(tokens(bench) == [nil, nil, "c0", nil, "c0"])
    }

    @Test(arguments: [
        [("X-Csrf", "")], [("X-Csrf", "a"), ("X-Csrf", "b")], [("X-Csrf", String(repeating: "c", count: 8_193))],
        [("X-Other", "a")],
    ])
    func `an unusable value is ignored`(fields: [(String, String)]) async throws {
        let bench = bench { sent in sent["X-Csrf"] == "c0" ? Reply(200, fields) : Reply(403) }
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        #expect(tokens(bench) == [nil, nil, "c0", "c0"])
    }

    @Test(arguments: [
        ("csrf=c1; Path=/", "c1"), ("csrf=; Path=/", "c0"), ("csrf=c1; Domain=other.example", "c0"), ("other=c1", "c0"),
        ("csrf=c1; Max-Age=0", "c0"),
    ])
    func `a cookie that the server sets is the next value`(cookie: String, next: String) async throws {
        let bench = bench(ProgramObserver(parameters: CookieUpdateParameters(), prompter: nil)) { sent in
            sent["X-Csrf"] == nil ? Reply(403) : Reply(200, [("Set-Cookie", cookie)])
        }
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        #expect(tokens(bench) == [nil, nil, "c0", next])
    }

    @Test func `a value for some requests can come from the response to another one`() async throws {
        let bench = bench(ProgramObserver(parameters: WriteUpdateParameters(), prompter: nil)) { sent in
            sent["X-Session"] == "s" ? Reply(200, [("X-Next-Csrf", "c1")]) : Reply(403)
        }
        #expect(try await bench.get() == 200)
        #expect(try await bench.session.send(.to("\(ProgramBench.origin)/data", .post)).head.status == .ok)
        #expect(tokens(bench) == [nil, nil, nil, "c1"])
    }
}
