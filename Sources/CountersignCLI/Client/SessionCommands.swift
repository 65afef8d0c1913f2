import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignFileStore
import Foundation
import HTTPTypes

/// Signs in, and stores the credential.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Signs in, so that later commands need no user interaction.",
        discussion: """
            Sends a GET request, signs in if the server requires it, and discards the body. Reports whether a login took place, or \
            the stored one is valid.

            Example: countersign login --profile notes
            """)

    @OptionGroup var client: ClientOptions

    @Argument(help: ArgumentHelp("A URL that requires a login; the profile's by default.", valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { client in
            let status = try await client.ask(url)
            console.clearProgress()
            let method = "\(client.landscape.name).\(client.method.name)"
            if client.events.usesStoredCredential {
                console.message("The stored login of \(method) is valid; the server answered with status \(status).")
            } else if client.events.hasAuthenticated {
                guard !client.events.hasFailedToStore else {
                    throw CommandProblem(
                        "signed in by \(method), but the login could not be stored: later commands must sign in again",
                        remedy: "Check that the folder of the store can be written, and that its disk has space.",
                        exit: CommandExit.storeFailed)
                }
                console.message("Signed in by \(method); the server answered with status \(status).")
            } else if status == 401 || status == 403 {
                throw CommandProblem(
                    "the server answered with status \(status), and \(method) has no login for that response",
                    remedy: client.hint(forUnansweredResponseOf: try client.address(url)), exit: CommandExit.refused)
            } else {
                console.message("No login was needed; the server answered with status \(status).")
            }
        }
    }
}

/// Prints the credential that a request would carry.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Prints the credential that requests carry in a header field, for other programs.",
        discussion: """
            Sends a GET request first, so that the credential is one that the server accepts. It is written to the standard output: \
            that of the 'Authorization' field without its scheme, or else the value of the field that carries it, such as an API key, \
            or of 'Cookie'.

            Example:
              TOKEN=$(countersign token --profile notes)
              curl -H "Authorization: Bearer $TOKEN" https://api.example/items
              curl -H "$(countersign token --header -p notes)" https://api.example/
            """)

    @OptionGroup var client: ClientOptions

    @Flag(help: "Print the whole header field; all of them, each on one line, if there are several.")
    var header = false

    @Argument(help: ArgumentHelp("A URL that requires a login; the profile's by default.", valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { client in
            let address = try client.address(url)
            let status = try await client.ask(url)
            let fields = Origin(address).map { client.wire.credential(at: $0) } ?? []
            guard !fields.isEmpty, status != 401 else { throw client.problem(withoutCredentialAt: address, status: status) }
            if client.isComputed(fields) {
                console.clearProgress()
                console.message(
                    console.messages.styled("warning:", .yellow)
                        + " the credential is computed for each request; another one with it may be refused")
            }
            guard !header else { return try console.print(fields.map(\.line).joined(separator: "\n")) }
            if let field = fields.first(where: { $0.name == .authorization }) {
                return try console.print(field.value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? field.value)
            }
            guard fields.count == 1 else {
                throw CommandProblem(
                    "The credential is in several header fields: \(fields.map(\.name.rawName).joined(separator: ", ")).",
                    remedy: "'--header' prints all of them.", exit: CommandExit.usage)
            }
            try console.print(fields[0].value)
        }
    }
}

/// Signs out.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Signs out: deletes what is stored, and notifies servers that support a logout.",
        discussion: """
            What is stored is deleted even without a network. The exit status is 69 if a server could not be \
            reached, and 77 if it refused.

            Example: countersign logout --profile notes
            """)

    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard !client.noStore else { throw ValidationError("With '--no-store' there is nothing to sign out of.") }
    }

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, purpose: .logout, console: console) { [ownsFolder = client.store == nil] client in
            var failure: (any Error)?
            do {
                try await client.session.logOut()
            } catch {
                failure = error
            }
            // A folder that the user has named may also contain the credentials of other profiles.
            if ownsFolder { try await client.store?.files.clear() }
            if let failure {
                let isKept =
                    failure is CredentialStoreError || failure is CancellationError
                    || (failure as? CountersignError)?.code == .credentialNotDeleted
                if !isKept { console.message("What was stored is deleted, but the server was not notified:") }
                throw failure
            }
            console.message("Signed out of the profile '\(client.profile.name)'.")
        }
    }
}

extension Client {
    /// Returns the likely reason why a response that requires a login was not answered, with what to do.
    func hint(forUnansweredResponseOf url: URL) -> String {
        let servers = destinations
        guard servers.isEmpty || Origin(url).map(servers.contains) ?? false else {
            let names = servers.map { "\($0)" }.sorted().joined(separator: ", ")
            return "According to the values, the credential is only for \(names). Correct the values or the URL."
        }
        return """
            The response matches no challenge of the method. 'countersign probe' shows the response, and 'countersign explain' the \
            challenges.
            """
    }

    /// Whether a part of the credential in these header fields is computed for each request, such as a signature.
    func isComputed(_ fields: [HTTPField]) -> Bool {
        filled.program.attach.contains { placement in
            switch placement {
            case .digest, .signature, .messageSignature, .computed, .negotiate: true
            // A token that is not bound to a key has no proof.
            case .proof: fields.contains { $0.name.canonicalName == "dpop" }
            case .header, .query, .json, .form, .basic, .connection: false
            }
        }
    }

    /// The part of requests that carries the credential, if no header field does.
    private var otherPlace: String {
        let places = filled.program.attach.compactMap { placement -> String? in
            switch placement {
            case .query: "in the query of the URL"
            case .json, .form: "in the body"
            case .connection: "the client certificate"
            default: nil
            }
        }
        return places.first ?? "in another part of requests"
    }

    /// Returns the error for a server whose requests carry no credential in a header field, or a refused one.
    func problem(withoutCredentialAt url: URL, status: Int) -> CommandProblem {
        let server = Origin(url).map { "\($0)" } ?? "the server"
        let method = "\(landscape.name).\(method.name)"
        let remedy =
            if status == 401 {
                hint(forUnansweredResponseOf: url)
            } else if events.hasAuthenticated {
                "The credential of \(method) is \(otherPlace). 'countersign request' sends requests with it."
            } else {
                "The server requires no login for this URL. Give one that does."
            }
        return CommandProblem(
            "No request to \(server) has an accepted credential in a header field; the server answered with status \(status).",
            remedy: remedy, exit: CommandExit.refused)
    }

    /// Sends a GET request that triggers a login.
    ///
    /// - Returns: The status code of the response.
    func ask(_ text: String?) async throws -> Int {
        let request = SessionRequest(HTTPRequest(method: .get, url: try address(text), headerFields: [.accept: "*/*"]))
        let response = try await session.send(request)
        response.body.cancel()
        return response.head.status.code
    }
}

extension HTTPField {
    /// The field as a line of a request.
    var line: String { "\(name.rawName): \(value)" }
}
