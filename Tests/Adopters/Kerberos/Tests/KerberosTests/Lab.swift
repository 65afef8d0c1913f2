import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Synchronization
import Testing

/// The lab's realm, and its web servers.
enum Lab {
    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = environment["COUNTERSIGN_LAB"]

    /// The files of the tickets and of the NTLM users of this process, as the script has set them.
    private static let cache = environment["KRB5CCNAME"].map { String($0.dropFirst("FILE:".count)) }
    private static let users = environment["NTLM_USER_FILE"]

    static let isThere = folder != nil && cache != nil && users != nil

    static let server = address(port: 9500)
    /// A server that accepts NTLM, whose contexts have two legs.
    static let serverOfSeveralLegs = address(port: 9510)

    private static func address(port: Int) -> URL {
        guard let url = URL(string: "https://web.lab.test:\(port)") else { preconditionFailure("invalid server URL") }
        return url
    }

    static func session(_ observers: any SessionObserver..., events: Events? = nil) throws -> Session {
        let authority = URL(filePath: try #require(folder)).appending(path: "ca/root.crt")
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .pem(Array(try Data(contentsOf: authority)))
        // The server has sixteen processes, and each open connection occupies one.
        transport.maximumConnectionsPerHost = 8
        var configuration = SessionConfiguration()
        configuration.eventObservers = [events].compactMap(\.self)
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        for observer in observers { session.register(observer) }
        return session
    }

    private struct Answer: Decodable {
        let user: String?
        let bodyLength: Int
    }

    private static func answer(_ request: SessionRequest, _ session: Session) async throws -> Answer? {
        let response = try await session.send(request)
        let body = try await response.body.collect(upTo: 4096)
        guard response.head.status == .ok else { return nil }
        return try JSONDecoder().decode(Answer.self, from: Data(body))
    }

    /// Returns the user according to the server; `nil` if the server refuses access.
    static func user(at path: String, on server: URL = server, _ session: Session) async throws -> String? {
        try await answer(SessionRequest(HTTPRequest(url: server.appending(path: path))), session)?.user
    }

    static func bodyLength(posting body: [UInt8], _ session: Session) async throws -> Int? {
        let request = HTTPRequest(method: .post, url: server.appending(path: "/negotiate/"))
        return try await answer(SessionRequest(request, body: .bytes(body)), session)?.bodyLength
    }

    // MARK: Tickets

    static func forgetTickets() throws {
        try? FileManager.default.removeItem(atPath: try #require(cache))
        try? FileManager.default.removeItem(atPath: try #require(users))
    }

    static func getTicket(_ user: String, password: String = "wonderland", lifetime: String = "1h") async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["kinit", "-l", lifetime, user]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(password)\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "kinit failed")
    }

    /// Adds an NTLM user.
    static func useNTLM() throws {
        try "LAB:alice:wonderland\n".write(toFile: try #require(users), atomically: true, encoding: .utf8)
    }
}

/// Counts the challenges of a session.
final class Events: SessionEventObserver {
    private let count = Mutex(0)

    var challenges: Int { count.withLock(\.self) }

    func observe(_ event: SessionEvent) {
        if case .challenged = event.kind { count.withLock { $0 += 1 } }
    }
}
