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
    let method: DynamicMethod
    let variant: DynamicMethod.Variant
    let filled: FilledProgram
    let session: Session
    let wire: ClientWire
    let events: ClientEvents
    /// `nil` if nothing is stored.
    let store: ClientStore?
    private let observer: any SessionObserver
    private let tokenSession: Session
    private let jarBefore: CookieJar.Snapshot
    private let isLoggingOut: Bool

    /// Creates a client without sending a request.
    ///
    /// - Throws: ``CommandProblem``; ``DynamicProblem``; `CredentialStoreError`.
    init(
        _ options: ClientOptions, for purpose: ClientPurpose = .requests, console: Console, terminal: Terminal?
    ) async throws {
        let profile = try options.resolved()
        let landscape = try profile.placing(.landscape) {
            if let folder = profile.spec {
                try ShippedLandscapes.landscape(in: folder, extending: profile.base)
            } else {
                try ShippedLandscapes.landscape(named: profile.landscape ?? "")
            }
        }
        let method = try profile.placing(.method) { try landscape.method(named: profile.method) }
        let variant = try profile.placing(.variant) { try method.variant(named: profile.variant) }
        let given = try await ClientValues(profile, landscape, variant, purpose, terminal: terminal).given()
        let filled = try profile.placing { try Self.filled(method, variant, with: given) }
        let store = options.noStore ? nil : try ClientStore(profile: profile, folder: options.store.map { URL(filePath: $0) })
        var logins = StoredLogins(given: [:], logins: [])
        if purpose == .requests, let store, method.kind == .attached || method.kind == .enrolment {
            let given = Set(try MethodOptions.pairs(options.values).map(\.name))
            let stored = given.isEmpty ? [] : try await filled.stored(in: store.files)
            logins = StoredLogins(given: Self.prompted(given, of: profile, variant), logins: stored)
        }

        let transport = CommandTransport(
            try profile.placing(.caFile) { try AuthorityFile.transport(trusting: profile.caFile) },
            proxy: try profile.placing(.proxy) { try ProxyAddress(profile.proxy) })
        let show: @Sendable (String) -> Void = { line in
            console.clearProgress()
            console.message(console.messages.styled(VisibleText.escapedLines(line), .dim))
        }
        let wire = ClientWire(
            transport, logins: logins, credential: Self.fieldNames(of: filled, method), show: options.verbose ? show : nil)
        let events = ClientEvents(console: console, folder: store?.files.folder, timeout: options.limit.timeout)
        var configuration = SessionConfiguration()
        configuration.presenter = AutomaticPresenter(
            profile.presenter.flatMap(PresenterChoice.init(rawValue:)), port: profile.redirectPort, on: terminal)
        configuration.eventObservers = [events]
        session = Session(configuration: configuration, transport: wire)
        tokenSession = Session(configuration: configuration, transport: wire, ownsTransport: false)
        do {
            jarBefore = CookieJar.Snapshot(cookies: try await store?.cookies() ?? [])
        } catch  where purpose == .logout {
            // A logout deletes the cookies, so they need not be readable.
            jarBefore = CookieJar.Snapshot(cookies: [])
        }
        isLoggingOut = purpose == .logout
        for cookie in jarBefore.cookies { session.cookies.set(cookie) }
        (self.profile, self.landscape, self.method, self.variant) = (profile, landscape, method, variant)
        (self.wire, self.events, self.store, self.filled) = (wire, events, store, filled)
        observer = Self.observer(of: filled, method, variant, profile, store, terminal: terminal, tokenSession)
        session.register(observer)
    }

    /// Fills the program of a method.
    ///
    /// - Throws: ``DynamicProblem``; ``CommandProblem``, which names all parameters without a value, if they are several.
    private static func filled(
        _ method: DynamicMethod, _ variant: DynamicMethod.Variant, with given: GivenValues
    ) throws -> FilledProgram {
        do {
            return try method.filled(variant, with: given)
        } catch let problem as DynamicProblem {
            guard case .missing(kind: "parameter", let first, _) = problem else { throw problem }
            let missing = variant.fields.filter { field in
                !field.isOptional && field.defaultText == nil && ![.requestHandler, .texts].contains(field.type)
                    && given.parameters[field.name.value] == nil && !variant.derived.contains(field.name.value)
            }
            guard missing.count > 1, missing.contains(where: { $0.name.value == first }) else { throw problem }
            let names = missing.map { "'\($0.name.value)' (\($0.documentation.summary.trimmed(".")))" }.joined(separator: ", ")
            throw CommandProblem(
                "\(missing.count) parameters have no value: \(names).",
                remedy:
                    "Give each with '--set NAME=…', or under 'values' of the profile; secrets with '--set-env' or '--set-file'.",
                exit: CommandExit.badData)
        }
    }

    /// Returns the texts on the command line that answer prompts, by name.
    ///
    /// - Parameter given: The names of the values on the command line.
    private static func prompted(_ given: Set<String>, of profile: Profile, _ variant: DynamicMethod.Variant) -> [String: String] {
        let program = variant.resolved
        var values: [String: String] = [:]
        for field in program.prompts.joined() where field.type == .text {
            let name = program.slots[field.slot].name.value
            guard given.contains(name), case .texts(let texts)? = profile.values[name] else { continue }
            values[name] = texts.joined(separator: ",")
        }
        return values
    }

    private static func observer(
        of filled: FilledProgram, _ method: DynamicMethod, _ variant: DynamicMethod.Variant, _ profile: Profile,
        _ store: ClientStore?, terminal: Terminal?, _ tokenSession: Session
    ) -> any SessionObserver {
        switch method.kind {
        case .cookies:
            AuthenticatorObserver(name: "\(method.name)Observer", authenticator: filled.authenticator())
        case .token:
            GrantAuthenticator(filled, session: tokenSession).observer(
                named: "\(method.name)Observer",
                store: store.map { CredentialTokenStore($0.files, name: filled.storeName) } ?? MemoryTokenStore())
        case .attached, .enrolment:
            ManagedObserver(
                filled,
                prompter: ClientPrompter(method: method.name, program: variant.resolved, profile: profile, terminal: terminal),
                store: store?.files)
        }
    }

    /// Returns the names of the header fields in which requests carry the credential of a method.
    private static func fieldNames(of filled: FilledProgram, _ method: DynamicMethod) -> Set<HTTPField.Name> {
        switch method.kind {
        case .cookies: [.cookie]
        case .token: [.authorization]
        case .attached, .enrolment: filled.fieldNames
        }
    }

    /// The access key that requests are signed with; `nil` if they are not.
    var accessKey: AccessKey? { (observer as? ManagedObserver)?.accessKey }

    /// The servers that may receive the credential, according to the values. None, if the values do not limit them.
    var destinations: [Origin] {
        filled.program.credential.destinations.flatMap { slot -> [Origin] in
            switch filled.values[slot] {
            case .origins(let origins): Array(origins.origins ?? [])
            case .url(let url): [Origin(url)].compactMap(\.self)
            default: []
            }
        }
    }

    /// A server that may receive the credential, according to the values.
    var destination: URL? { destinations.first.flatMap { URL(string: "\($0)/") } }

    /// The servers for which a token can be stored: the profile's, and those of the URLs among the values.
    var servers: [URL] {
        let addresses = filled.values.compactMap { value in if case .url(let url) = value { url } else { nil } }
        var seen: Set<Origin> = []
        return ([profile.url].compactMap(\.self) + addresses).filter { url in Origin(url).map { seen.insert($0).inserted } ?? false
        }
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
    private let seen = Mutex<(authenticated: Bool, notStored: Bool, steps: Set<String>)>((false, false, []))

    init(console: Console, folder: URL?, timeout: Double? = nil) {
        self.console = console
        self.folder = folder
        self.timeout = timeout
    }

    /// The time that a user has for a login. The default limit of a presenter is 5 minutes.
    private var patience: String { timeout.flatMap { $0 < 300 ? TimeLimit.text($0) : nil } ?? "5 minutes" }

    /// Whether a login has succeeded, or a stored credential was used.
    var hasAuthenticated: Bool { seen.withLock { $0.authenticated } }
    /// Whether the credential comes from the store, without a login or a renewal.
    var usesStoredCredential: Bool { seen.withLock { $0.authenticated && $0.steps == ["load"] } }
    /// Whether a credential could not be stored.
    var hasFailedToStore: Bool { seen.withLock { $0.notStored } }

    func observe(_ event: SessionEvent) {
        switch event.kind {
        case .started(let isInteractive):
            console.progress(isInteractive ? "waiting for the login, up to \(patience)" : "signing in")
        case .authenticated:
            seen.withLock { $0.authenticated = true }
            console.clearProgress()
        case .ran(let step): seen.withLock { _ = $0.steps.insert(step) }
        case .failed: console.clearProgress()
        case .notStored:
            let isNew = seen.withLock { seen in
                defer { seen.notStored = true }
                return !seen.notStored
            }
            if isNew {
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
        console.message(console.messages.styled("warning:", .yellow) + " " + text)
    }
}
