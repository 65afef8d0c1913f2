import ArgumentParser
import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignFileStore
import CountersignSpec
import Foundation

/// Reports who is signed in at which server, and until when.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the stored logins, how long they are valid, and where they are stored.",
        discussion: """
            Sends no request, and shows no secret. With '--all', a profile that cannot be shown does not hide the others; the exit \
            status is then that of the first error.

            Examples:
              countersign status --profile notes
              countersign status --all
            """)

    @OptionGroup var client: ClientOptions

    @Flag(help: "Show all profiles of the file.")
    var all = false

    @Flag(help: "Write the report to the standard output as JSON.")
    var json = false

    func validate() throws {
        guard !all || [client.profile, client.landscape, client.spec, client.store].allSatisfy({ $0 == nil }) else {
            throw ValidationError("'--all' excludes '--profile', '--landscape', '--spec' and '--store'.")
        }
    }

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        guard all else {
            return try await ClientRun.run(client, purpose: .status, json: json, console: console) { client in
                let report = try await StatusReport(client)
                try console.print(json ? try report.json() : report.text)
            }
        }
        try await ClientRun.run(within: client.limit, json: json, console: console) { terminal in
            var rows: [StatusList.Row] = []
            for profile in try ProfileFile(path: client.profiles ?? ProfileFile.usualPath()).profiles {
                rows.append(try await row(profile.name, console: console, terminal: terminal))
            }
            try show(StatusList(profiles: rows), on: console)
        }
    }

    /// Returns the status of a profile, or the reason why it cannot be shown.
    ///
    /// - Throws: `CancellationError`.
    private func row(_ name: String, console: Console, terminal: Terminal?) async throws -> StatusList.Row {
        var options = client
        options.profile = name
        return try await StatusList.Row(name) {
            let client = try await Client(options, for: .status, console: console, terminal: terminal)
            return try await ClientRun.use(client) { try await StatusReport($0) }
        }
    }

    private func show(_ list: StatusList, on console: Console) throws {
        for case .failure(let name, let failure) in list.profiles {
            console.message("\(VisibleText.escaped(name)) cannot be shown:")
            failure.show(on: console)
        }
        if json {
            try console.print(try JSONText.of(list))
        } else if list.profiles.isEmpty {
            console.message("The file has no profiles.")
        } else {
            for case .report(let report) in list.profiles { try console.print(report.text) }
        }
        if let exit = list.exit { throw exit }
    }
}

/// The stored credentials of all profiles of a file.
struct StatusList: Encodable {
    /// A profile.
    enum Row: Encodable {
        case report(StatusReport)
        /// The name of a profile that cannot be shown.
        case failure(String, ClientFailure)

        /// Creates the row of a profile.
        ///
        /// - Throws: `CancellationError`, also in place of another error: one after the time limit or Ctrl-C says nothing about the
        ///   profile.
        init(_ name: String, _ report: () async throws -> StatusReport) async throws {
            do {
                self = .report(try await report())
            } catch {
                try Task.checkCancellation()
                self = .failure(name, ClientFailure(error))
            }
        }

        private enum CodingKeys: CodingKey { case profile, error }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .report(let report): try report.encode(to: encoder)
            case .failure(let name, let failure):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(name, forKey: .profile)
                try container.encode(failure.report, forKey: .error)
            }
        }
    }

    /// The version of the JSON format.
    let version = 1
    /// The profiles in the order of the file.
    let profiles: [Row]

    private enum CodingKeys: CodingKey { case version, profiles }

    /// The exit status of the first failure; `nil` if there is none.
    fileprivate var exit: ExitCode? {
        profiles.lazy.compactMap { if case .failure(_, let failure) = $0 { failure.exit } else { nil } }.first
    }
}

/// The stored credentials of a profile.
struct StatusReport: Encodable {
    /// A method of the profile.
    struct Method: Encodable {
        let name: String
        let variant: String?
        /// Whether the session's cookies are its credential.
        let hasCookies: Bool

        private enum CodingKeys: CodingKey { case name, variant }
    }

    struct Credential: Encodable {
        let method: String
        /// `nil` for all servers that may receive the credential.
        let server: String?
        /// The fields of the credential that identify the user, by name.
        let identity: [String: String]
        let details: [String]
        let expires: Date?
        let isRenewable: Bool
    }

    /// The version of the JSON format.
    let version = 1
    let profile, landscape: String
    /// In the order of the profile, at least one.
    let methods: [Method]
    /// `nil` if nothing is stored.
    let store: String?
    let credentials: [Credential]
    /// The values that are not secret, such as a user's name, by the names of the methods' parameters.
    let values: [String: String]
    /// The domains of the stored cookies.
    let cookies: [String]

    private enum CodingKeys: CodingKey {
        case version, profile, landscape, method, variant, methods, store, credentials, values, cookies
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(profile, forKey: .profile)
        try container.encode(landscape, forKey: .landscape)
        // Programs for profiles with one method read these.
        try container.encodeIfPresent(methods.first?.name, forKey: .method)
        try container.encodeIfPresent(methods.first?.variant, forKey: .variant)
        try container.encode(methods, forKey: .methods)
        try container.encodeIfPresent(store, forKey: .store)
        try container.encode(credentials, forKey: .credentials)
        try container.encode(values, forKey: .values)
        try container.encode(cookies, forKey: .cookies)
    }
}

extension StatusReport {
    init(_ client: Client) async throws {
        var credentials: [Credential] = []
        for method in client.methods { credentials += try await Self.credentials(of: method, in: client.store) }
        self.init(
            profile: client.profile.name, landscape: client.landscape.name,
            methods: client.methods.map {
                Method(name: $0.name, variant: $0.variant.name, hasCookies: $0.method.kind == .cookies)
            },
            store: client.store?.files.folder.path(percentEncoded: false), credentials: credentials,
            values: client.methods.reduce(into: [:]) { values, method in values.merge(method.visibleValues) { first, _ in first } },
            cookies: Set(client.session.cookies.all.map(\.domain)).sorted())
    }

    private static func credentials(of method: ClientMethod, in store: ClientStore?) async throws -> [Credential] {
        guard let store else { return [] }
        switch method.method.kind {
        case .attached, .enrolment:
            return try await method.filled.stored(in: store.files).map {
                // A challenge can have an empty value, such as a realm.
                Credential(
                    method: method.name, server: $0.server, identity: $0.visible, details: $0.separators.filter { !$0.isEmpty },
                    expires: $0.expires, isRenewable: $0.isRenewable)
            }
        case .token:
            let tokens = CredentialTokenStore(store.files, name: method.filled.storeName)
            return try method.servers.compactMap { url in
                try tokens.token(for: url).map {
                    Credential(
                        method: method.name, server: Origin(url).map { "\($0)" }, identity: [:], details: $0.scopes.sorted(),
                        expires: $0.expiryDate, isRenewable: $0.refreshToken != nil)
                }
            }
        case .cookies: return []
        }
    }

    func json() throws -> String { try JSONText.of(self) }

    /// The report as text, escaped.
    var text: String { lines().map(VisibleText.escaped).joined(separator: "\n") }

    /// Returns the report as text, line by line.
    func lines(at now: Date = Date()) -> [String] {
        var lines: [String] = []
        for method in methods {
            lines.append("\(profile): \(landscape).\(method.name)\(method.variant.map { ", \($0)" } ?? "")")
            let own = credentials.filter { $0.method == method.name }
            for credential in own {
                let details = credential.details.isEmpty ? "" : " (\(credential.details.joined(separator: ", ")))"
                let identity = credential.identity.isEmpty ? "" : " as \(Self.list(credential.identity))"
                lines.append("  signed in at \(credential.server ?? "the servers of the method")\(identity)\(details)")
                lines.append("    \(Self.validity(of: credential, at: now))")
            }
            // Cookies are of the session, so they show nothing about another method beside one with cookies.
            if own.isEmpty, cookies.isEmpty || methods.count > 1 && !method.hasCookies { lines.append("  not signed in") }
        }
        if !cookies.isEmpty { lines.append("  cookies of \(cookies.joined(separator: ", "))") }
        if !values.isEmpty { lines.append("  with \(Self.list(values))") }
        lines.append("  store: \(store ?? "none")")
        return lines
    }

    /// Returns names and values, sorted by name.
    private static func list(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    private static func validity(of credential: Credential, at now: Date) -> String {
        let renewal = credential.isRenewable ? ", renewable without the user" : ""
        guard let expires = credential.expires else { return "valid until the server rejects it\(renewal)" }
        let moment = expires.formatted(.iso8601)
        return expires < now ? "expired at \(moment)\(renewal)" : "valid until \(moment)\(renewal)"
    }
}
