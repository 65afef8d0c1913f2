import Countersign
import CountersignFileStore
import CountersignTesting
import Foundation
import Logging
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Keys, passwords and archives are in memory and in the encrypted store, and nowhere else (RT-30).
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct IdentityCanaryTests {
    enum Source: CaseIterable {
        case archive, certificateDiscovery, secureLogin
    }

    private static let password = "c4n4ry-passphrase"

    @Test(arguments: Source.allCases) func `nothing secret is in a file, a log, an event, an error or a description`(
        source: Source
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-canary-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try #require(StoreKey(bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max) }))
        let store = CredentialCodableStore(EncryptedFileStore(folder: folder, key: key), name: "canary")
        let storage = UserIdentityStorage(store: store)
        let notes = Notes()
        try await DiscoveryBench.run { bench in
            let session = try Self.session(bench, notes)
            let discovery = try Self.discovery(source, bench, notes)
            let observer = UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: storage)
            session.register(observer)
            let resource = bench.resource.mock.baseURL.appending(path: "orders")
            _ = try await session.data(from: resource)
            let origin = try #require(Origin(resource))
            let place = try #require(CredentialPlace(origin: origin).url)
            let archive = try #require(try storage.identity(for: place))
            let identity = try PKCS12Archive(reading: archive, at: .now).identity
            // Errors have texts, too, so a request is made to fail: the identity is revoked, and no other can be obtained.
            bench.resource.authority.revoke(identity)
            bench.services.inject(enrollmentFault: .answer(status: 500, body: "{}"), times: 100)
            let next = try Self.session(bench, notes)
            next.register(observer)
            do {
                _ = try await next.data(from: resource)
                Issue.record("a revoked identity was accepted, or another one was there")
            } catch {
                notes.add(error)
            }
            for value in [observer, discovery, session, identity, archive.description] as [Any] { notes.add(value) }

            let secrets = [identity.privateKey.pkcs8.bytes, Array(archive)].map(Self.middle)
            for secret in secrets {
                for trace in Self.traces(of: secret) { #expect(!notes.text.contains(trace)) }
            }
            for word in [Self.password, "wonderland", MockSecureLoginOptions().passcode] { #expect(!notes.text.contains(word)) }
            var files = 0
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                guard let data = FileManager.default.contents(atPath: folder.appending(path: path).path) else { continue }
                files += 1
                for secret in secrets + [Array(Self.password.utf8)] {
                    #expect(data.firstRange(of: secret) == nil && data.firstRange(of: Data(secret).base64EncodedData()) == nil)
                }
            }
            #expect(files > 0)
            #expect(notes.text.contains("challenged"), "nothing was told")
            await session.session.invalidate(cancelling: true)
            await next.session.invalidate(cancelling: true)
        }
    }

    private static func session(_ bench: DiscoveryBench, _ notes: Notes) throws -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = DiscoveryBench.person
        configuration.transport.trustRoots = .pem(try bench.resource.authority.pem)
        notes.take(from: &configuration)
        return SAPURLSession(configuration: configuration)
    }

    private static func discovery(
        _ source: Source, _ bench: DiscoveryBench, _ notes: Notes
    ) throws -> any UserIdentityObtaining {
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = DiscoveryBench.person
        notes.take(from: &configuration)
        let session = SAPURLSession(configuration: configuration)
        switch source {
        case .archive:
            return try PKCS12UserIdentityDiscovery(
                data: bench.resource.authority.archive(for: "alice", password: password), passphrase: password)
        case .certificateDiscovery:
            session.register(
                OAuth2Observer(
                    authenticator: OAuth2Authenticator(authenticationParameters: try bench.oauth2, sapURLSession: session),
                    tokenStore: MemoryTokenStore()))
            return SAPcpmsUserIdentityDiscovery(certificateDiscoveryParameters: try bench.parameters, sapURLSession: session)
        case .secureLogin:
            let delegate = ScriptedLogin(
                .values(["user": "alice", "password": "wonderland"]), .values(["passcode": MockSecureLoginOptions().passcode]))
            notes.keep(delegate)
            return SLSUserIdentityDiscovery(
                slsConfigurationParameters: try bench.profile(), userInputDelegate: delegate, sapURLSession: session)
        }
    }

    /// Returns enough bytes to recognise the secret, from an offset at which a base64 group begins.
    private static func middle(of bytes: [UInt8]) -> [UInt8] {
        let start = bytes.count / 6 * 3
        return Array(bytes[start..<(start + 12)])
    }

    @Test func `a leaked secret would be found`() {
        let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let notes = Notes()
        notes.add(bytes)
        notes.add(line: Data(bytes).base64EncodedString())
        notes.add(line: bytes.map { String(format: "%02x", $0) }.joined())
        for trace in Self.traces(of: Self.middle(of: bytes)) { #expect(notes.text.contains(trace)) }
    }

    private static func traces(of bytes: [UInt8]) -> [String] {
        [
            bytes.map { String(format: "%02x", $0) }.joined(), bytes.map(String.init).joined(separator: ", "),
            bytes.map { "- \($0)" }.joined(separator: "\n"), Data(bytes).base64EncodedString(),
        ]
    }
}

/// Collects all events, log messages and descriptions of values as text.
private final class Notes: SessionEventObserver {
    private let texts = Mutex<[String]>([])
    private let kept = Mutex<[any AnyObject & Sendable]>([])

    var text: String { texts.withLock { $0.joined(separator: "\n") } }

    func keep(_ object: any AnyObject & Sendable) { kept.withLock { $0.append(object) } }

    func take(from configuration: inout SAPURLSession.Configuration) {
        configuration.session.eventObservers = [self]
        var logger = Logger(label: "canary") { [self] _ in Handler(notes: self) }
        logger.logLevel = .trace
        configuration.session.logger = logger
    }

    func observe(_ event: SessionEvent) { add(event) }

    func add(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        // A dump puts each byte on a line of its own, indented by its depth.
        let lines = dumped.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        let localized = (value as? any Error)?.localizedDescription ?? ""
        texts.withLock { $0 += ["\(value)", String(reflecting: value), lines, localized] }
    }

    func add(line: String) { texts.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let notes: Notes
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { notes.add(line: "\(event.message) \(event.metadata ?? [:])") }
    }
}
