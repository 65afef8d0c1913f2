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
        commandName: "token", abstract: "Prints the credential of the 'Authorization' field, for other programs.",
        discussion: """
            Sends a GET request first, so that the credential is one that the server accepts. It is written to the standard output.

            Example:
              TOKEN=$(countersign token --profile notes)
              curl -H "Authorization: Bearer $TOKEN" https://api.example/items
            """)

    @OptionGroup var client: ClientOptions

    @Flag(help: "Print the whole header field.")
    var header = false

    @Argument(help: ArgumentHelp("A URL that requires a login; the profile's by default.", valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { client in
            let address = try client.address(url)
            let status = try await client.ask(url)
            guard let origin = Origin(address), let field = client.wire.authorization(at: origin), status != 401 else {
                throw client.problem(withoutAuthorizationAt: address, status: status)
            }
            let token = field.value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? field.value
            try console.print(header ? "\(field.name.rawName): \(field.value)" : token)
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

    /// Returns the error for a server whose requests carry no `Authorization` field, or a refused one.
    func problem(withoutAuthorizationAt url: URL, status: Int) -> CommandProblem {
        let server = Origin(url).map { "\($0)" } ?? "the server"
        let method = "\(landscape.name).\(method.name)"
        let remedy =
            if status == 401 {
                hint(forUnansweredResponseOf: url)
            } else if events.hasAuthenticated {
                "The credential of \(method) is in another part of requests. 'countersign request' sends requests with it."
            } else {
                "The server requires no login for this URL. Give one that does."
            }
        return CommandProblem(
            "No request to \(server) has an accepted 'Authorization' field; the server answered with status \(status).",
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
