import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignFileStore
import CountersignSpec
import Foundation
import HTTPTypes
import Synchronization

/// The purpose that a client is created for.
enum ClientPurpose: Sendable {
    /// Requests. The user may be asked for secrets.
    case requests
    /// A report about the store, which needs no secret.
    case status
    /// A logout, which deletes the stored credentials even if a secret is not available.
    case logout
}

/// A session that signs in as a profile defines, and its parts.
struct Client {
    let profile: Profile
    let landscape: DynamicLandscape
    /// The methods by which the session signs in, at least one. Of several that answer a challenge, the first does.
    let methods: [ClientMethod]
    let session: Session
    let wire: ClientWire
    let events: ClientEvents
    /// `nil` if nothing is stored.
    let store: ClientStore?
    private let observers: [any SessionObserver]
    private let tokenSession: Session
    private let jarBefore: CookieJar.Snapshot
    private let isLoggingOut: Bool

    /// Creates a client without sending a request.
    ///
    /// - Parameter presenter: Shows login pages; `nil` for the presenter that the profile names or that suits the machine.
    /// - Throws: ``CommandProblem``; ``DynamicProblem``; `CredentialStoreError`.
    init(
        _ options: ClientOptions, for purpose: ClientPurpose = .requests, console: Console, terminal: Terminal?,
        presenter: (any WebPresenter)? = nil
    ) async throws {
        let profile = try options.resolved()
        let landscape = try profile.placing(.landscape) {
            if let folder = profile.spec {
                try ShippedLandscapes.landscape(in: folder, extending: profile.base)
            } else {
                try ShippedLandscapes.landscape(named: profile.landscape ?? "")
            }
        }
        let chosen = try ClientMethod.chosen(by: profile, in: landscape)
        let known = chosen + ClientMethod.replaced(in: profile, of: landscape)
        var methods: [ClientMethod] = []
        var input = ClientInput()
        for method in chosen {
            methods.append(
                try await ClientMethod(
                    method, among: known, of: landscape, profile, purpose, terminal: terminal, reusing: &input))
        }
        let store = options.noStore ? nil : try ClientStore(profile: profile, folder: options.store.map { URL(filePath: $0) })
        var logins: [StoredLogins] = []
        if purpose == .requests, let store {
            let given = Set(try MethodOptions.pairs(options.values).map(\.name))
            for method in methods {
                if let found = try await method.storedLogins(in: store, given: given) { logins.append(found) }
            }
        }

        let transport = CommandTransport(
            try profile.placing(.caFile) { try AuthorityFile.transport(trusting: profile.caFile) },
            proxy: try profile.placing(.proxy) { try ProxyAddress(profile.proxy) })
        let show: @Sendable (String) -> Void = { line in
            console.clearProgress()
            console.message(console.messages.styled(VisibleText.escapedLines(line), .dim))
        }
        let wire = ClientWire(transport, logins: logins, show: options.verbose ? show : nil)
        let events = ClientEvents(console: console, folder: store?.files.folder, timeout: options.limit.timeout, purpose: purpose)
        var configuration = SessionConfiguration()
        configuration.presenter =
            presenter
            ?? ClientPresenter(
                AutomaticPresenter(
                    profile.presenter.flatMap(PresenterChoice.init(rawValue:)), port: profile.redirectPort, on: terminal))
        configuration.eventObservers = [events]
        let session = Session(configuration: configuration, transport: wire)
        let tokenSession = Session(configuration: configuration, transport: wire, ownsTransport: false)
        do {
            jarBefore = CookieJar.Snapshot(cookies: try await store?.cookies() ?? [])
        } catch  where purpose == .logout {
            // A logout deletes the cookies, so they need not be readable.
            jarBefore = CookieJar.Snapshot(cookies: [])
        }
        isLoggingOut = purpose == .logout
        for cookie in jarBefore.cookies { session.cookies.set(cookie) }
        let observers = methods.map { $0.observer(store: store, terminal: terminal, tokenSession: tokenSession) }
        self.observers = observers
        wire.record { [methods] in
            zip(methods, observers).reduce(into: []) { $0.formUnion($1.0.fieldNames(carriedBy: $1.1)) }
        }
        (self.profile, self.landscape, self.methods) = (profile, landscape, methods)
        (self.session, self.tokenSession) = (session, tokenSession)
        (self.wire, self.events, self.store) = (wire, events, store)
        for observer in observers { session.register(observer) }
    }

    /// The names of the methods, each with its landscape, for messages.
    var methodNames: String { names(of: methods) }

    /// Returns the names of methods, each with its landscape, for messages.
    func names(of methods: [ClientMethod]) -> String {
        methods.map { "\(landscape.name).\($0.name)" }.joined(separator: " and ")
    }

    /// The access key that requests are signed with; `nil` if they are not.
    var accessKey: AccessKey? { observers.lazy.compactMap { ($0 as? ManagedObserver)?.accessKey }.first }

    /// The servers that may receive a credential, according to the values. None, if the values do not limit them.
    var destinations: [Origin] {
        methods.contains { $0.destinations.isEmpty } ? [] : methods.flatMap(\.destinations)
    }

    /// A server that may receive a credential, according to the values.
    var destination: URL? { methods.flatMap(\.destinations).first.flatMap { URL(string: "\($0)/") } }

    /// Whether a credential may be sent to a server, according to the servers that the values name.
    func isFor(_ url: URL) -> Bool { methods.contains { $0.isFor(url) } }

    /// Returns the methods whose credentials are in the header fields of a request.
    func methods(in fields: [HTTPField]) -> [ClientMethod] {
        zip(methods, observers).filter { method, observer in
            let names = method.fieldNames(carriedBy: observer)
            return fields.contains { names.contains($0.name) }
        }.map(\.0)
    }

    /// Throws if the header fields of a request have the credentials of several methods, of which another program can use only
    /// one.
    ///
    /// - Parameter remedy: What else the command can print, as a sentence.
    /// - Throws: ``CommandProblem``.
    func requireOneCredential(in fields: [HTTPField], or remedy: String) throws {
        let isOfOne = zip(methods, observers).contains { method, observer in
            let names = method.fieldNames(carriedBy: observer)
            return fields.allSatisfy { names.contains($0.name) }
        }
        guard methods.count > 1, !isOfOne else { return }
        throw CommandProblem(
            "Requests carry the credentials of several methods: \(names(of: methods(in: fields))).",
            remedy: "Name one of them with '--method'. \(remedy)", exit: CommandExit.usage)
    }

    /// Returns the URL of a request, which can be relative to the profile's.
    ///
    /// - Throws: ``CommandProblem``.
    func address(_ text: String?) throws -> URL {
        guard let text else {
            guard let url = profile.url else {
                throw CommandProblem(
                    "No URL was given.", remedy: "Give one, or set 'url' in the profile.", exit: CommandExit.usage)
            }
            return url
        }
        let isWhole = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        guard let url = isWhole ? URL(string: text) : profile.url.flatMap({ URL(string: text, relativeTo: $0)?.absoluteURL }),
            Origin(url) != nil
        else {
            throw CommandProblem(
                "'\(VisibleText.escaped(text))' is not a valid URL.",
                remedy: isWhole ? nil : "Give an absolute URL, or set 'url' in the profile, to which a relative URL is resolved.",
                exit: CommandExit.usage)
        }
        guard url.user == nil, url.password == nil else {
            throw CommandProblem(
                "The URL contains a user name or a password.", remedy: "Remove it: the method of the profile signs in.",
                exit: CommandExit.usage)
        }
        return url
    }

    /// Saves changed cookies, and closes the connections.
    ///
    /// - Throws: `CredentialStoreError`.
    func close() async throws {
        let jar = session.cookies.snapshot()
        await tokenSession.invalidate(cancelling: true)
        await session.invalidate(cancelling: true)
        let cookies = Set(jar.cookies)
        if isLoggingOut, cookies.isDisjoint(with: jarBefore.cookies) {
            // Deletes also cookies that the server has set during the logout, and cookies that could not be read.
            try await store?.discardCookies()
        } else if cookies != Set(jarBefore.cookies) {
            try await store?.keep(jar, since: jarBefore)
        }
    }
}

/// Shows the progress of a session to the user, and records its result for the final message of a command.
final class ClientEvents: SessionEventObserver {
    private let console: Console
    /// The folder of the store; `nil` if nothing is stored.
    private let folder: URL?
    /// The time limit of the command in seconds; `nil` if it has none.
    private let timeout: Double?
    private let purpose: ClientPurpose
    private let seen = Mutex<(authenticated: [String], notStored: Bool, steps: [String: Set<String>])>(([], false, [:]))

    init(console: Console, folder: URL?, timeout: Double? = nil, purpose: ClientPurpose = .requests) {
        self.console = console
        self.folder = folder
        self.timeout = timeout
        self.purpose = purpose
    }

    /// The time that a user has for a login. The default limit of a presenter is 5 minutes.
    private var patience: String { timeout.flatMap { $0 < 300 ? TimeLimit.text($0) : nil } ?? "5 minutes" }

    /// Whether a login has succeeded, or a stored credential was used.
    var hasAuthenticated: Bool { seen.withLock { !$0.authenticated.isEmpty } }

    /// Returns the methods that have signed in, and whether they have all used stored credentials, without a login or a renewal.
    ///
    /// A method without steps, such as one that repeats an identifier of the server, counts only if no other one has signed in.
    func logins(of methods: [ClientMethod]) -> (methods: [ClientMethod], areStored: Bool) {
        let (authenticated, steps) = seen.withLock { ($0.authenticated, $0.steps) }
        func named(_ names: [String]) -> [ClientMethod] {
            let found = methods.filter { names.contains(Self.methodName(in: $0.name)) }
            return found.isEmpty ? methods : found
        }
        let stored = authenticated.filter { steps[$0] == ["load"] }
        let active = authenticated.filter { steps[$0] != nil && !stored.contains($0) }
        if !active.isEmpty { return (named(active), false) }
        return stored.isEmpty ? (named(authenticated), false) : (named(stored), true)
    }

    /// Returns the name of the method in that of its observer. Steps of an authentication have the one or the other.
    private static func methodName(in observer: String?) -> String {
        let name = observer ?? ""
        return name.hasSuffix("Observer") ? String(name.dropLast("Observer".count)) : name
    }

    /// Whether a credential could not be stored.
    var hasFailedToStore: Bool { seen.withLock { $0.notStored } }

    func observe(_ event: SessionEvent) {
        switch event.kind {
        case .started(let isInteractive):
            console.progress(isInteractive ? "waiting for the login, up to \(patience)" : "signing in")
        case .authenticated:
            seen.withLock { seen in
                let name = Self.methodName(in: event.observer)
                if !seen.authenticated.contains(name) { seen.authenticated.append(name) }
            }
            console.clearProgress()
        case .ran(let step):
            seen.withLock { _ = $0.steps[Self.methodName(in: event.observer), default: []].insert(step) }
        case .failed: console.clearProgress()
        case .notStored:
            let isNew = seen.withLock { seen in
                defer { seen.notStored = true }
                return !seen.notStored
            }
            // A logout stores nothing: what it cannot delete is its error.
            if isNew, purpose != .logout {
                let place = folder.map { " in \(VisibleText.escaped($0.path(percentEncoded: false)))" } ?? ""
                warn("the login could not be stored\(place); the next command signs in again")
            }
        case .withheld:
            warn(
                """
                \(event.origin.map { "\($0)" } ?? "a server") asks for the credential, but is not one of the method's servers; \
                add it to them
                """)
        default: break
        }
    }

    private func warn(_ text: String) {
        console.clearProgress()
        console.warn(text)
    }
}
