import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignIdentity
import CountersignSpec
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// A method whose steps make a key and its certificate, after questions of the authority, described by YAML alone.
@Suite(.takesTurns) struct EnrolledCertificateTests {
    /// Signs certificates for users who know the code, and has a resource for requests with a certificate.
    private final class Desk: Sendable {
        struct Counts: Hashable {
            var challenges = 0, questions = 0, signed = 0, renewed = 0, sends = 0
        }

        let authority: MockCertificateAuthority
        private let counted = Mutex(Counts())
        /// The accepted certificates.
        private let good = Mutex<Set<[UInt8]>>([])

        init() throws { authority = try MockCertificateAuthority() }

        var counts: Counts { counted.withLock { $0 } }

        /// Refuses all certificates that were issued so far.
        func refuseAll() { good.withLock { $0 = [] } }

        func answer(_ request: MockRequest) -> MockResponse {
            switch request.path {
            case "/begin":
                counted.withLock { $0.questions += 1 }
                return json(#"{"fields":[{"name":"code","label":"Code","type":"secret"}],"message":"Look at the door."}"#)
            case "/answer":
                let isRight = String(decoding: request.body, as: UTF8.self).contains(#""code":"4711""#)
                return MockResponse(status: isRight ? .noContent : .forbidden)
            case "/sign", "/renew":
                let der = request.path == "/sign" ? request.body : Self.request(in: request.body)
                guard let chain = try? authority.sign(der) else { return MockResponse(status: .forbidden) }
                let pem = MockCertificateAuthority.pem(chain)
                good.withLock { _ = $0.insert(chain[0]) }
                counted.withLock { if request.path == "/sign" { $0.signed += 1 } else { $0.renewed += 1 } }
                guard request.path == "/renew" else { return .text(pem, status: .ok) }
                let body = try? JSONSerialization.data(withJSONObject: ["certificates": [pem]])
                return MockResponse(status: .ok, fields: [.contentType: "application/json"], body: body ?? Data())
            default:
                counted.withLock { $0.sends += 1 }
                if let certificate = request.certificate, good.withLock({ $0.contains(certificate) }) {
                    return .text("data", status: .ok)
                }
                counted.withLock { $0.challenges += 1 }
                return .text("certificate wanted", status: .unauthorized)
            }
        }

        private static func request(in body: [UInt8]) -> [UInt8] {
            let members = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: String]
            let lines = members?["request"]?.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined() ?? ""
            return Data(base64Encoded: lines).map(Array.init) ?? []
        }

        private func json(_ text: String) -> MockResponse {
            MockResponse(status: .ok, fields: [.contentType: "application/json"], body: text.utf8)
        }
    }

    /// A user who reads the code from the door.
    private final class Person: ProgramPrompting, LoginInputSource {
        private let seen = Mutex<(inputs: [LoginInput], finished: Int)>(([], 0))
        private let code: String

        init(_ code: String = "4711") { self.code = code }

        var inputs: [LoginInput] { seen.withLock { $0.inputs } }
        var finishedCount: Int { seen.withLock { $0.finished } }
        var input: (any LoginInputSource)? { self }

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? { nil }

        func values(for input: LoginInput) async throws -> [LoginInputFieldValue]? {
            seen.withLock { $0.inputs.append(input) }
            return [LoginInputFieldValue(fieldName: "code", value: code)]
        }

        func finished() async { seen.withLock { $0.finished += 1 } }
    }

    /// Makes an observer from the spec of the goldens, with a challenge that a test's server can send.
    private static func observer(_ url: URL, _ person: Person, store: (any CredentialStore)? = nil) throws -> any SessionObserver {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/Enrolled.yaml")
        let spec = try String(contentsOf: folder, encoding: .utf8)
            .replacing(
                "name: handshake, tls: client-certificate", with: "name: wanted, status: 401, text: { contains: certificate }")
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Doors\nsummary: Doors.\n".utf8)),
            SpecFile(path: "Enrolled.yaml", bytes: Array(spec.utf8)),
        ]
        let method = try DynamicLandscape(SpecSources(own: files)).method(named: nil)
        let filled = try method.filled(
            try method.variant(named: nil),
            with: GivenValues(parameters: [
                "servers": [url.absoluteString], "authority": [url.absoluteString], "user": ["ada"],
            ]))
        return ManagedObserver(filled, prompter: person, store: store)
    }

    private func run(_ body: (URL, Desk, MockCertificateAuthority) async throws -> Void) async throws {
        let desk = try Desk()
        var options = MockCertificateOptions(authority: desk.authority)
        options.demand = .page
        let (server, url) = try await MockServer.start(tls: MockTLS(options)) { port in
            (MockHosts(port: port, scheme: "https").serviceProvider, { desk.answer($0) })
        }
        try await MockServer.stop([server], with: MockGates()) { try await body(url, desk, desk.authority) }
    }

    private func session(_ authority: MockCertificateAuthority, _ observer: any SessionObserver) throws -> Session {
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .pem(try authority.pem)
        let session = Session(transport: AsyncHTTPClientTransport(configuration: transport))
        session.register(observer)
        return session
    }

    @Test func `a hundred requests take one enrolment, and a second process takes the certificate from the store`() async throws {
        try await run { url, desk, authority in
            let store = MemoryCredentialStore()
            let person = Person()
            let session = try session(authority, Self.observer(url, person, store: store))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), session) }
                }
                for try await status in group { #expect(status == 200) }
            }
            await session.invalidate(cancelling: true)
            #expect(desk.counts.signed == 1 && desk.counts.questions == 1 && desk.counts.sends <= 200)
            // The prompt shows the origin of the question, and the end of the pages is reported.
            #expect(person.inputs.map(\.origin) == [Origin(url)] && person.inputs.first?.clientMessage == "")
            #expect(person.inputs.first?.inputFields == [LoginInputField(fieldName: "code", prompt: "Code", type: .hidden)])
            #expect(person.finishedCount == 1)

            let other = Person("wrong")
            let second = try self.session(authority, Self.observer(url, other, store: store))
            #expect(try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), second) == 200)
            await second.invalidate(cancelling: true)
            #expect(desk.counts.signed == 1 && other.inputs.isEmpty)
        }
    }

    @Test func `a certificate that is refused is renewed without the user`() async throws {
        try await run { url, desk, authority in
            let person = Person()
            let session = try session(authority, try Self.observer(url, person))
            for _ in 0..<2 {
                #expect(try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), session) == 200)
                desk.refuseAll()
            }
            await session.invalidate(cancelling: true)
            #expect(desk.counts.signed == 1 && desk.counts.renewed == 1 && person.inputs.count == 1)
        }
    }

    @Test func `a wrong code is a typed error, and nothing is stored`() async throws {
        try await run { url, desk, authority in
            let store = MemoryCredentialStore()
            for count in 1...2 {
                let person = Person("0000")
                let session = try session(authority, try Self.observer(url, person, store: store))
                let error = await code { try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), session) }
                await session.invalidate(cancelling: true)
                #expect(error == .refusedByServer)
                #expect(desk.counts.signed == 0 && desk.counts.questions == count * person.inputs.count)
                #expect(person.finishedCount == person.inputs.count && !person.inputs.isEmpty)
            }
        }
    }
}
