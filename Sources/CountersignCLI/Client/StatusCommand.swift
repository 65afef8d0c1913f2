import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignFileStore
import CountersignSpec
import Foundation

/// Reports who is signed in at which server, and until when.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the stored logins, how long they are valid, and where they are stored.",
        discussion: """
            Sends no request, and shows no secret.

            Example: countersign status --profile notes
            """)

    @OptionGroup var client: ClientOptions

    @Flag(help: "Write the report to the standard output as JSON.")
    var json = false

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, purpose: .status, console: console) { client in
            let report = try await StatusReport(client)
            try console.print(json ? try report.json() : report.lines().map(VisibleText.escaped).joined(separator: "\n"))
        }
    }
}

/// The stored credentials of a profile.
struct StatusReport: Encodable {
    struct Credential: Encodable {
        /// `nil` for all servers that may receive the credential.
        let server: String?
        /// The fields of the credential that identify the user, by name.
        let identity: [String: String]
        let details: [String]
        let expires: Date?
        let isRenewable: Bool
    }

    let profile, landscape, method: String
    let variant: String?
    /// `nil` if nothing is stored.
    let store: String?
    let credentials: [Credential]
    /// The values that are not secret, such as a user's name, by the names of the method's parameters.
    let values: [String: String]
    /// The domains of the stored cookies.
    let cookies: [String]

    init(_ client: Client) async throws {
        profile = client.profile.name
        landscape = client.landscape.name
        method = client.method.name
        variant = client.variant.name
        store = client.store?.files.folder.path(percentEncoded: false)
        values = client.visibleValues
        cookies = Set(client.session.cookies.all.map(\.domain)).sorted()
        guard let store = client.store else {
            credentials = []
            return
        }
        switch client.method.kind {
        case .attached, .enrolment:
            credentials = try await client.filled.stored(in: store.files).map {
                Credential(
                    server: $0.server, identity: $0.visible, details: $0.separators, expires: $0.expires,
                    isRenewable: $0.isRenewable)
            }
        case .token:
            let tokens = CredentialTokenStore(store.files, name: client.filled.storeName)
            credentials = try client.servers.compactMap { url in
                try tokens.token(for: url).map {
                    Credential(
                        server: Origin(url).map { "\($0)" }, identity: [:], details: $0.scopes.sorted(), expires: $0.expiryDate,
                        isRenewable: $0.refreshToken != nil)
                }
            }
        case .cookies: credentials = []
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Returns the report as text.
    func lines(at now: Date = Date()) -> [String] {
        var lines = ["\(profile): \(landscape).\(method)\(variant.map { ", \($0)" } ?? "")"]
        for credential in credentials {
            let details = credential.details.isEmpty ? "" : " (\(credential.details.joined(separator: ", ")))"
            let identity = credential.identity.isEmpty ? "" : " as \(Self.list(credential.identity))"
            lines.append("  signed in at \(credential.server ?? "the servers of the method")\(identity)\(details)")
            lines.append("    \(Self.validity(of: credential, at: now))")
        }
        if !cookies.isEmpty { lines.append("  cookies of \(cookies.joined(separator: ", "))") }
        if !values.isEmpty { lines.append("  with \(Self.list(values))") }
        if credentials.isEmpty, cookies.isEmpty { lines.append("  not signed in") }
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

extension Client {
    /// The profile's values that are neither secrets nor URLs.
    fileprivate var visibleValues: [String: String] {
        let program = variant.resolved
        let asked = program.prompts.joined().filter { $0.type == .text }.map { program.slots[$0.slot].name.value }
        let names = variant.fields.filter { [.string, .choice].contains($0.type) }.map(\.name.value) + asked
        return Dictionary(
            names.compactMap { name in
                guard case .texts(let texts)? = profile.values[name] else { return nil }
                return (name, texts.joined(separator: " "))
            }, uniquingKeysWith: { first, _ in first })
    }
}
