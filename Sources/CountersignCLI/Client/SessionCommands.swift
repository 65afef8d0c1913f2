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
            the stored one is valid. With several methods, it signs in by each that the server asks for. A credential that GET \
            requests do not carry, such as one in the body, needs '-X POST'.

            Examples:
              countersign login --profile notes
              countersign login --landscape SAPMobileServices --method SAML \\
                --method OTP --set backendURL=https://mobile.example \\
                https://mobile.example/items
            """)

    @OptionGroup var client: ClientOptions

    @OptionGroup var signIn: RequestMethodOption

    @Argument(help: ArgumentHelp("A URL that requires a login; the profile's by default.", valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { try await login($0, on: console) }
    }

    /// Signs in with a client, and reports how.
    func login(_ client: Client, on console: Console) async throws {
        let request = try client.request(url, by: signIn.method)
        let response = try await client.answer(to: request)
        let status = response.head.status.code
        console.clearProgress()
        let other = client.otherChallenge(in: response.head, from: response.url)
        if client.events.hasAuthenticated {
            let logins = client.events.logins(of: client.methods)
            let names = client.names(of: logins.methods)
            if logins.areStored {
                console.message("The stored login of \(names) is valid; the server answered with status \(status).")
                return warn(of: other, on: console)
            }
            guard !client.events.hasFailedToStore else {
                throw CommandProblem(
                    "signed in by \(names), but the login could not be stored: later commands must sign in again",
                    remedy: "Check that the folder of the store can be written, and that its disk has space.",
                    exit: CommandExit.storeFailed)
            }
            console.message("Signed in by \(names); the server answered with status \(status).")
            warn(of: other, on: console)
        } else if let challenge = UnansweredChallenge(response, to: request, of: client) {
            throw CommandProblem(challenge.description, remedy: challenge.remedy, exit: CommandExit.refused)
        } else if status == 403 {
            let has = client.methods.count == 1 ? "has" : "have"
            throw CommandProblem(
                "the server answered with status \(status), and \(client.methodNames) \(has) no login for that response",
                remedy: client.hint(forUnanswered: response, to: request), exit: CommandExit.refused)
        } else if response.head.status.isOutage {
            throw CommandProblem(
                "the server answered with status \(status), which does not show whether it requires a login",
                remedy: Client.outageRemedy, exit: CommandExit.unavailable)
        } else {
            console.message("No login was needed; the server answered with status \(status).")
            if let reason = client.reasonForNoCredential(in: request, answeredBy: response) { console.message(reason) }
        }
    }

    /// Warns of a challenge that remains after the login, such as that of a second factor.
    private func warn(of other: ProbeReport.Match?, on console: Console) {
        guard let other else { return }
        let challenge = "'\(other.challenge)' of \(other.landscape).\(other.method)"
        console.warn("the response is the challenge \(challenge); to sign in by that method, too, add '--method \(other.method)'")
    }
}

/// Prints the credential that a request would carry.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Prints the credential that requests carry in a header field, for other programs.",
        discussion: """
            Sends a GET request first, so that the credential is one that the server accepts. It is written to the standard output: \
            that of the 'Authorization' field without its scheme, or else the value of the field that carries it, such as an API key, \
            or of 'Cookie'. If requests carry the credentials of several methods, name one, or use '--header'. Another request than \
            a GET can carry other header fields: name it with '-X'.

            Example:
              TOKEN=$(countersign token --profile notes)
              curl -H "Authorization: Bearer $TOKEN" https://api.example/items
              curl -H "$(countersign token --header -p notes)" https://api.example/
            """)

    @OptionGroup var client: ClientOptions

    @OptionGroup var signIn: RequestMethodOption

    @Flag(help: "Print the whole header field; all of them, each on one line, if there are several.")
    var header = false

    @Argument(help: ArgumentHelp("A URL that requires a login; the profile's by default.", valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { client in
            let request = try client.request(url, by: signIn.method)
            let (response, fields) = try await client.fields(carriedBy: request)
            guard !fields.isEmpty, response.head.status != .unauthorized else {
                throw client.problem(withoutCredentialIn: request, answeredBy: response)
            }
            client.warnOfParts(outside: fields, ofRequestBy: request.head.method, on: console)
            if client.isComputed(fields) {
                console.clearProgress()
                console.warn("the credential is computed for each request; another one with it may be refused")
            }
            guard !header else { return try console.print(fields.map(\.line).joined(separator: "\n")) }
            try client.requireOneCredential(in: fields, or: "'--header' prints all header fields.")
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
            reached or could not answer, and 77 if it refused.

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
    func hint(forUnanswered response: SessionResponse, to request: SessionRequest) -> String {
        if let reason = reasonForNoCredential(at: response.url) { return reason }
        if let reason = reasonForNoCredential(in: request, answeredBy: response) { return reason }
        let ending = methods.count == 1 ? "" : "s"
        return """
            The response matches no challenge of the method\(ending). 'countersign probe' shows the response, and 'countersign \
            explain' the challenges.
            """
    }

    /// Returns the reason why no credential is for the server of a URL, with what to do; `nil` if one may be for it.
    func reasonForNoCredential(at url: URL) -> String? {
        let servers = destinations
        guard !servers.isEmpty, !(Origin(url).map(servers.contains) ?? false) else { return nil }
        let names = Set(servers.map { "\($0)" }).sorted().joined(separator: ", ")
        guard methods.allSatisfy({ $0.filled.program.credential.recipients.isEmpty }) else {
            return """
                The credential is only for \(names), and for the server that a login names, which is another one or not known yet. \
                Run 'countersign login' with a URL of the former that requires a login, or correct the values or the URL.
                """
        }
        return "According to the values, the credential is only for \(names). Correct the values or the URL."
    }

    /// Whether a part of a credential in these header fields is computed for each request, such as a signature.
    func isComputed(_ fields: [HTTPField]) -> Bool { methods(in: fields).contains { $0.isComputed(fields) } }

    /// Returns the error for a request that carried no credential in a header field, or a refused one.
    func problem(withoutCredentialIn request: SessionRequest, answeredBy response: SessionResponse) -> CommandProblem {
        let url = request.head.url
        let server = url.flatMap { Origin($0) }.map { "\($0)" } ?? "the server"
        let status = response.head.status.code
        let isSignedIn = status != 401 && events.hasAuthenticated
        if isSignedIn || methods.allSatisfy(\.isOnlyInBody), let place = methods.compactMap(\.otherPlace).first {
            let method = methods.contains(where: \.isInBody) ? " -X POST" : ""
            return CommandProblem(
                "The credential of \(methodNames) is \(place), and not in a header field that another program could send.",
                remedy: "'countersign request\(method)' sends requests with it.", exit: CommandExit.refused)
        }
        let isOutage = response.head.status.isOutage && !events.hasAuthenticated
        let remedy =
            if isOutage {
                Self.outageRemedy
            } else if status == 401 {
                UnansweredChallenge(response, to: request, of: self)?.remedy ?? hint(forUnanswered: response, to: request)
            } else if events.hasAuthenticated {
                url.flatMap { reasonForNoCredential(at: $0) }
                    ?? "The login was for another server, such as after a redirect. Give a URL of that one."
            } else {
                reasonForNoCredential(in: request, answeredBy: response)
                    ?? "The server requires no login for this URL. Give one that does."
            }
        let credential = status == 401 ? "an accepted credential" : "a credential"
        return CommandProblem(
            "No request to \(server) has \(credential) in a header field; the server answered with status \(status).",
            remedy: remedy, exit: isOutage ? CommandExit.unavailable : CommandExit.refused)
    }

    /// The remedy for a server that cannot answer at present.
    fileprivate static let outageRemedy = "The server cannot answer at present. Try again later."

    /// Returns a request without a body that triggers a login.
    ///
    /// - Throws: ``CommandProblem`` for an invalid URL.
    func request(_ text: String?, by method: HTTPRequest.Method = .get) throws -> SessionRequest {
        SessionRequest(HTTPRequest(method: method, url: try address(text), headerFields: [.accept: "*/*"]))
    }

    /// Sends a request and returns the response, whose body is not read.
    func answer(to request: SessionRequest) async throws -> SessionResponse {
        let response = try await session.send(request)
        response.body.cancel()
        return response
    }

    /// Sends a request, and returns the response and the header fields with the credential that were last sent to its server.
    func fields(carriedBy request: SessionRequest) async throws -> (response: SessionResponse, fields: [HTTPField]) {
        let response = try await answer(to: request)
        return (response, request.head.url.flatMap { Origin($0) }.map { wire.credential(at: $0) } ?? [])
    }

    /// Returns the challenge of another method of the landscape that the head of a response is without doubt; `nil` if there is
    /// none, or if one of the client's own methods has such a challenge.
    func otherChallenge(in head: HTTPResponse, from url: URL) -> ProbeReport.Match? {
        let answer = ProbeAnswer(head: head, body: [])
        func match(_ method: DynamicMethod) -> ProbeReport.Match? {
            ProbeReport.Match(method, of: landscape, answer: answer, from: url)
        }
        guard methods.allSatisfy({ match($0.method) == nil }) else { return nil }
        return landscape.methods.compactMap(match).first(where: \.isCertain)
    }
}

extension HTTPField {
    /// The field as a line of a request.
    var line: String { "\(name.rawName): \(value)" }
}

extension HTTPResponse.Status {
    /// Whether the server cannot answer at present, so that the response does not show whether it requires a login.
    var isOutage: Bool { [408, 425, 429, 500, 502, 503, 504].contains(code) }
}
