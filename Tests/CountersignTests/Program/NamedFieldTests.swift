import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// A token against forged requests, in a header field that the server names in its challenge.
private struct NamedFieldParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "NamedField", summary: "A token.",
        slots: [
            .parameter("servers"), .challenge("field"), .challenge("crumb"), .credential("field"),
            .credential("crumb", isSecret: true),
        ], announcements: [HTTPCall.Member("X-Announced", "1")],
        challenges: [
            ChallengePattern(
                "forged", statuses: [403], captures: [.slot(1, from: .header("X-Field")), .slot(2, from: .header("X-Value"))])
        ],
        credential: CredentialShape(fields: [.slot(3, from: .slot(1)), .slot(4, from: .slot(2))], destinations: [0]),
        attach: [.header("X-Static", "1"), .header(.slot(3), .slot(4))], rejections: [RejectionRule(.resend, retries: 2)])

    var slotValues: [ProgramValue] {
        let server = URL(string: ProgramBench.origin).flatMap { Origin($0) }
        return [.origins(ProtectedOrigins(origins: Set([server].compactMap(\.self))))]
    }
}

/// Credentials in header fields that servers name.
@Suite("Header fields that a server names", .timeLimit(.minutes(10))) struct NamedFieldTests {
    /// A bench whose server wants a token in a field of this name, which `/renamed` changes.
    private func bench(_ name: String) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: NamedFieldParameters(), prompter: nil)) { sent in
            let wanted = sent.path == "/renamed" ? "X-Other" : name
            return sent[wanted] == "c4n4ry" ? .text("data") : Reply(403, [("X-Field", wanted), ("X-Value", "c4n4ry")])
        }
    }

    @Test(arguments: ["X-Crumb", "jenkins-crumb", ".crumb", "X_CSRF|Token~1"])
    func `a token is in the field that the server has named, from then on`(name: String) async throws {
        let bench = bench(name)
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        #expect(bench.transport.sent.map { $0[name] } == [nil, "c4n4ry", "c4n4ry"])
        #expect(bench.transport.sent.map { $0["X-Static"] } == [nil, "1", "1"])
        let other = try await bench.session.send(.to("https://other.example/data"))
        #expect(other.head.status.code == 403)
        #expect(bench.transport.sent.last?[name] == nil)
    }

    @Test func `a field that the server names otherwise replaces the former one`() async throws {
        let bench = bench("X-Crumb")
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("/renamed") == 200)
        #expect(bench.transport.sent.map { $0["X-Crumb"] } == [nil, "c4n4ry", "c4n4ry", nil])
        #expect(bench.transport.sent.map { $0["X-Other"] } == [nil, nil, nil, "c4n4ry"])
    }

    @Test(arguments: [
        "Authorization", "cookie", "HOST", "Content-Length", "content-type", "Transfer-Encoding", "Connection", "TE", "Upgrade",
        "Proxy-Authorization", "Proxy-Connection", "Expect", "Range", "If-Match", "Origin", "Referer", "Sec-Fetch-Site", "DPoP",
        "Signature", "X-HTTP-Method-Override", "X-Original-URL", "X-Forwarded-For", "X-Static", "x-announced", ":path", "X Crumb",
        "X-Crumb:",
    ])
    func `a field with a meaning of its own is an error, and the token is not sent`(name: String) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: NamedFieldParameters(), prompter: nil)) { _ in
            Reply(403, [("X-Field", name), ("X-Value", "c4n4ry")])
        }
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.detail.contains("the server has chosen a name") == true)
        #expect(error.map { !String(reflecting: $0).contains("c4n4ry") } == true)
        #expect(bench.transport.sent.count == 1)
        #expect(bench.transport.sent.allSatisfy { !$0.request.head.headerFields.contains { $0.value.contains("c4n4ry") } })
    }

    @Test func `a request that has the field is the caller's, and its refusal, too`() async throws {
        let bench = bench("X-Crumb")
        for _ in 0..<2 { #expect(try await bench.get(fields: [("x-crumb", "own")]) == 403) }
        #expect(bench.transport.sent.allSatisfy { $0.request.head.headerFields[values: .crumb] == ["own"] })
        // The first one has brought the name.
        #expect(bench.transport.sent.count == 3)
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.count == 4)
    }

    @Test func `a field of another observer is replaced if the server asks for it`() async throws {
        let transport = ScriptedTransport { sent in
            sent["X-Crumb"] == "c4n4ry" ? .text("data") : Reply(403, [("X-Field", "X-Crumb"), ("X-Value", "c4n4ry")])
        }
        let session = Session(configuration: .test(), transport: transport)
        session.register(
            SpyObserver(attach: { request, _ in
                request.headerFields[.crumb] = "other"
                return .nothing
            }))
        session.register(ProgramObserver(parameters: NamedFieldParameters(), prompter: nil))
        #expect(try await session.send(.to("https://app.example/data")).head.status.code == 200)
        #expect(transport.sent.map { $0.request.head.headerFields[values: .crumb] } == [["other"], ["c4n4ry"]])
    }
}

extension HTTPField.Name {
    fileprivate static var crumb: HTTPField.Name { HTTPField.Name("X-Crumb") ?? .authorization }
}
