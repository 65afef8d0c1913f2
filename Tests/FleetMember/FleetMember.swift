import Countersign
import CountersignAsyncHTTPClient
import CountersignEtcdStore
import CountersignFileStore
import Foundation
import HTTPTypes
import OAuth

/// A process of a fleet, which shares a login with others in a cluster of etcd, and has no user.
///
/// `FleetMember <endpoints, separated by commas> <prefix> <key in hexadecimal> <server> <lifetime of a lock in seconds>
/// [option...]`, where the option `alone` lets it renew without the cluster, `patience=<seconds>` is the time for finding a
/// member that answers, and `trust=<file>` names the authority of the cluster's certificates.
///
/// Each line of standard input is a number of requests to send at once. The output has a line for each outcome, such as `1000
/// answered`, and then `done`. Events of the credential come before.
@main struct FleetMember {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 6, case let endpoints = arguments[1].split(separator: ",").compactMap({ URL(string: String($0)) }),
            let key = StoreKey(bytes: bytes(hexadecimal: arguments[3])),
            let server = URL(string: arguments[4]), let lifetime = Int(arguments[5])
        else { exit(64) }
        do {
            var configuration = EtcdConfiguration(endpoints: endpoints, prefix: arguments[2])
            configuration.lockLifetime = .seconds(lifetime)
            var transport = AsyncHTTPClientTransport.Configuration()
            for option in arguments.dropFirst(6) {
                let words = option.split(separator: "=", maxSplits: 1).map(String.init)
                switch (words[0], words.last) {
                case ("alone", _): configuration.renewsWithoutLock = true
                case ("patience", let text?):
                    guard let seconds = Int(text) else { exit(64) }
                    configuration.patience = .seconds(seconds)
                    configuration.requestTimeout = .seconds(seconds)
                case ("trust", let file?):
                    transport.trustRoots = .pem(Array(try Data(contentsOf: URL(filePath: file))))
                default: exit(64)
                }
            }
            let store = try EtcdCredentialStore(
                configuration, key: key, transport: AsyncHTTPClientTransport(configuration: transport))
            await serve(try FleetLogin.observer(at: server, store: store), server)
        } catch {
            say("failed: \(error)")
            exit(70)
        }
    }

    private static func serve(_ observer: AuthorizationCodeObserver, _ server: URL) async {
        var configuration = SessionConfiguration()
        configuration.eventObservers = [Events()]
        // A test authenticates more often than any application does.
        configuration.maximumAuthentications = 10_000
        // A thousand requests at once of each of eight processes take long on a small machine.
        configuration.requestTimeout = .seconds(300)
        configuration.flightTimeout = .seconds(180)
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        session.register(observer)
        say("ready")
        while let line = readLine(), let count = Int(line) {
            let start = ContinuousClock.now
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { await outcome(of: server, in: session) } }
                return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { say("\(count) \(outcome)") }
            say("took \(Int(start.duration(to: .now) / .milliseconds(1)))")
            say("done")
        }
        await session.invalidate(cancelling: true)
    }

    private static func outcome(of server: URL, in session: Session) async -> String {
        do {
            let response = try await session.send(SessionRequest(HTTPRequest(method: .get, url: server.appending(path: "data"))))
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.head.status == .ok ? "answered" : "status \(response.head.status.code)"
        } catch let error as CredentialStoreError {
            return "store: \(error.code.rawValue)"
        } catch let error as CountersignError {
            return "error: \(error.code.rawValue)"
        } catch {
            return "failed: \(error)"
        }
    }

    private struct Events: SessionEventObserver {
        func observe(_ event: SessionEvent) {
            switch event.kind {
            case .adopted: FleetMember.say("adopted")
            case .expired: FleetMember.say("expired")
            case .notStored: FleetMember.say("not stored")
            case .superseded: FleetMember.say("superseded")
            default: break
            }
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func bytes(hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// The login of the fleet: at the mock authorization server's client `app`.
enum FleetLogin {
    static func observer(at server: URL, store: any CredentialStore) throws -> AuthorizationCodeObserver {
        let endpoints = server.appending(path: "oauth2/api/v1")
        guard let redirect = URL(string: "http://127.0.0.1/callback") else { throw CocoaError(.coderInvalidValue) }
        return AuthorizationCodeObserver(
            parameters: AuthorizationCodeParameters(
                apis: [server], authorizationURL: endpoints.appending(path: "authorize"),
                tokenURL: endpoints.appending(path: "token"),
                clientID: "app", redirectURL: redirect),
            store: store)
    }
}
