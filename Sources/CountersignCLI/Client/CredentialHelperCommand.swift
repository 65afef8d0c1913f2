import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes

/// Provides credentials to other programs, in the format that each program requires.
struct CredentialHelperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential-helper",
        abstract: "Provides credentials to git, Docker and compatible programs, AWS, Kubernetes and curl.",
        discussion: """
            Sends a request to a URL that requires the login, so that the credential is one that the server accepts. All programs \
            share the profile's store. For servers that are not among those of the profile, no credential is provided. All but curl \
            take the credential of one method.

            git:
              git config credential.https://git.example.helper \\
                '!countersign credential-helper git -p work'
            Docker, with { "credHelpers": { "registry.example": "work" } } in its
            configuration: a program 'docker-credential-work' in the PATH with the lines
              #!/bin/sh
              exec countersign credential-helper docker -p work "$@"
            AWS, in a profile of its configuration:
              credential_process = countersign credential-helper aws -p work
            kubectl, in a user of its configuration:
              exec:
                apiVersion: client.authentication.k8s.io/v1
                command: countersign
                args: [credential-helper, kubernetes, -p, work]
                interactiveMode: IfAvailable
            curl:
              countersign credential-helper curl -p work |
                curl --config - https://api.example/items
            """)

    enum Program: String, ExpressibleByArgument, CaseIterable {
        case git, docker, aws, kubernetes, curl
    }

    @Argument(help: "The program that needs the credential.")
    var program: Program

    @Argument(help: "The action that git or Docker requests: get, store or erase.")
    var action: String?

    @OptionGroup var client: ClientOptions

    @OptionGroup var signIn: RequestMethodOption

    @Option(
        help: ArgumentHelp(
            "A URL that requires the login; by default the profile's, or the one that the program names.", valueName: "url"))
    var url: String?

    func validate() throws {
        switch (program, action) {
        case (.git, nil), (.docker, nil):
            throw ValidationError("'\(program.rawValue)' requires an action, which the program adds itself: get, store or erase.")
        case (.aws, let action?), (.kubernetes, let action?), (.curl, let action?):
            // The text can be a URL with a secret, so it is not repeated.
            guard action != "get" else { break }
            throw ValidationError("'\(program.rawValue)' has no actions. A URL is given with '--url'.")
        default: break
        }
    }

    func run() async throws { try await run(console: .standard, input: { readLine() }) }

    /// - Parameter input: Returns the next line that the program sends.
    func run(console: Console, input: @escaping @Sendable () -> String?) async throws {
        let said = Conversation(program, action: action, input: input)
        switch said.action {
        case .get: break
        // The session saves credentials itself, and the next login detects that a credential was refused.
        case .store, .erase: return
        case .list: return try console.print("{}")
        }
        try await ClientRun.run(client, console: console) { client in
            guard let address = try self.address(said, of: client) else {
                // The program then asks its other helpers.
                if program == .docker { try console.print("credentials not found in native keychain") }
                if program == .git { return }
                throw CommandExit.failed
            }
            let request = try client.request(address.absoluteString, by: signIn.method)
            let answer = try await HelperAnswer(client, for: program, by: request, at: address)
            // curl sends what it gets, in requests of any method.
            if program == .curl { client.warnOfParts(outside: answer.fields, ofRequestBy: request.head.method, on: console) }
            try console.print(try answer.text)
        }
    }

    /// Returns the address to request; `nil` if the program asks for a server that is not one of the profile's.
    private func address(_ said: Conversation, of client: Client) throws -> URL? {
        let own = try? client.address(url)
        guard var wanted = said.server else {
            // git and Docker name the server that they ask for.
            if program == .git || program == .docker { return nil }
            return try url == nil && client.profile.url == nil ? client.destination ?? client.address(nil) : client.address(url)
        }
        // Docker names a registry without a scheme.
        if !said.hasScheme, let own, own.host() == wanted.host(), own.port == wanted.port, let scheme = own.scheme {
            wanted = URL(string: wanted.absoluteString.replacing(/^https/, with: scheme)) ?? wanted
        }
        if let own, let origin = Origin(own), Origin(wanted) == origin { return url == nil && own.path().isEmpty ? wanted : own }
        return client.isFor(wanted) ? wanted : nil
    }

    /// The input of a program.
    struct Conversation {
        enum Action {
            case get, store, erase, list
        }

        let action: Action
        /// The server that the program asks for; `nil` if it names none.
        let server: URL?
        /// Whether the program names the scheme of the server.
        private(set) var hasScheme = true

        init(_ program: Program, action: String?, input: () -> String?) {
            switch action {
            case "store": self.action = .store
            case "erase": self.action = .erase
            case "list": self.action = .list
            case "get": self.action = .get
            case nil where ![.git, .docker].contains(program): self.action = .get
            // An unknown action of a newer program is ignored, like `store`.
            default: self.action = .store
            }
            switch program {
            case .git: server = Self.git(input)
            case .docker:
                let text = self.action == .get ? input() : nil
                hasScheme = text?.contains("://") ?? true
                server = text.flatMap(Self.registry)
            case .aws, .kubernetes, .curl: server = nil
            }
        }

        /// Returns the URL from lines `key=value` up to an empty line; `nil` if they name no server of HTTP.
        private static func git(_ input: () -> String?) -> URL? {
            var values: [String: String] = [:]
            while let line = input(), !line.isEmpty {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                if parts.count == 2 { values[parts[0]] = parts[1] }
            }
            let scheme = values["protocol"]?.lowercased() ?? "https"
            guard let host = values["host"], !host.isEmpty, host.utf8.allSatisfy(isOfHost), ["http", "https"].contains(scheme)
            else {
                return nil
            }
            return URL(string: "\(scheme)://\(host)/\(values["path"] ?? "")")
        }

        /// Whether a byte can be part of a host with its port.
        ///
        /// git decodes the host of its URL. The host of `https://git.example%2F.other.example` would otherwise be read as
        /// `git.example`.
        private static func isOfHost(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F && !"/?#@\\".utf8.contains(byte) }

        /// Returns the URL of a registry, with or without a scheme; `nil` if it contains a user name.
        private static func registry(_ text: String) -> URL? {
            URL(string: text.contains("://") ? text : "https://\(text)/v2/").flatMap { $0.user == nil ? $0 : nil }
        }
    }
}

/// A credential in the format of a program.
struct HelperAnswer {
    private let program: CredentialHelperCommand.Program
    /// The `Authorization` field. Of the programs, only AWS, which takes an access key, and curl do not need one.
    private let field: HTTPField?
    /// The header fields with the credential.
    let fields: [HTTPField]
    private let expires: Date?
    private let url: URL
    private let client: Client

    /// - Parameter request: The request that triggers a login.
    /// - Throws: ``CommandProblem`` if no request carries a credential.
    init(
        _ client: Client, for program: CredentialHelperCommand.Program, by request: SessionRequest, at url: URL
    ) async throws {
        let (response, fields) = try await client.fields(carriedBy: request)
        self.fields = fields
        field = fields.first { $0.name == .authorization }
        guard program == .aws || !fields.isEmpty, response.head.status != .unauthorized else {
            throw client.problem(withoutCredentialIn: request, answeredBy: response)
        }
        guard field != nil || program == .aws || program == .curl else { throw Self.problem(of: program, with: fields, of: client) }
        if program != .curl { try client.requireOneCredential(in: fields, or: "'curl' gets all of them.") }
        self.url = url
        self.program = program
        self.client = client
        // If several credentials are stored, it is unknown which one this is.
        let names = client.methods(in: fields).map(\.name)
        let stored = try? await StatusReport(client).credentials.filter { names.isEmpty || names.contains($0.method) }
        expires = stored?.count == 1 ? stored?[0].expires : nil
    }

    /// Returns the error for a program that cannot send the header fields of a credential.
    private static func problem(
        of program: CredentialHelperCommand.Program, with fields: [HTTPField], of client: Client
    ) -> CommandProblem {
        let need =
            switch program {
            case .git: "git requires a credential in the field 'Authorization'"
            case .docker: "Docker and compatible programs require a user and a password"
            case .kubernetes: "kubectl requires a bearer token in the field 'Authorization'"
            case .aws, .curl: "The program requires another credential"
            }
        let names = fields.map { "'\($0.name.rawName)'" }.joined(separator: " and ")
        return CommandProblem(
            "\(need), but the credential of \(client.names(of: client.methods(in: fields))) is in \(names).",
            remedy: "'countersign token --header' prints it, and 'countersign credential-helper curl' gets it for curl.",
            exit: CommandExit.badData)
    }

    /// The output for the program.
    var text: String {
        get throws {
            switch program {
            case .git: try git()
            case .docker: try docker()
            case .aws: try accessKey()
            case .kubernetes: try kubernetes()
            case .curl: fields.map { "header = \"\($0.line.escapedForQuotes)\"" }.joined(separator: "\n")
            }
        }
    }

    /// With `authtype`, git 2.46 and later versions send credentials that are not passwords. Earlier versions send only Basic.
    private func git() throws -> String {
        if let (user, password) = login { return "username=\(user)\npassword=\(password)\n" }
        let (scheme, token) = try proof()
        return "capability[]=authtype\nauthtype=\(scheme)\ncredential=\(token)\nusername=oauth2\npassword=\(token)\n"
    }

    private func docker() throws -> String {
        guard let login else {
            throw CommandProblem(
                "Docker and compatible programs require a user and a password, but the method provides a token.",
                remedy: "Use a method that has a user and a password.", exit: CommandExit.badData)
        }
        let server = (url.host() ?? "") + (url.port.map { ":\($0)" } ?? "")
        return try Self.text(of: ["ServerURL": server, "Username": login.user, "Secret": login.password])
    }

    /// Returns the access key in the format of a `credential_process`.
    private func accessKey() throws -> String {
        guard let key = client.accessKey else {
            throw CommandProblem(
                "AWS requires an access key, but the method does not provide one.",
                remedy: "Use a method of AmazonWebServices.", exit: CommandExit.badData)
        }
        var answer: [String: Any] = ["Version": 1, "AccessKeyId": key.identifier, "SecretAccessKey": key.secret]
        if let session = key.session { answer["SessionToken"] = session }
        if let expires = key.expires { answer["Expiration"] = expires.formatted(.iso8601) }
        return try Self.text(of: answer)
    }

    private func kubernetes() throws -> String {
        let (scheme, token) = try proof()
        guard scheme.lowercased() == "bearer" else {
            throw CommandProblem(
                "kubectl requires a bearer token, but the scheme of the credential is \(scheme).",
                remedy: "Use a method with tokens of OAuth 2.0, or 'countersign credential-helper curl'.", exit: CommandExit.badData
            )
        }
        var status = ["token": token]
        if let expires { status["expirationTimestamp"] = expires.formatted(.iso8601) }
        let answer: [String: Any] = [
            "apiVersion": Self.kubernetesVersion, "kind": "ExecCredential", "status": status,
        ]
        return try Self.text(of: answer)
    }

    /// The version that kubectl asks for.
    private static var kubernetesVersion: String {
        let text = ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"] ?? ""
        let asked = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        return asked?["apiVersion"] as? String ?? "client.authentication.k8s.io/v1"
    }

    // MARK: Parts

    /// The user and password of Basic, or those with which the method requests a token from a server that accepts Basic.
    private var login: (user: String, password: String)? {
        // Docker and similar programs send the user and password to the token server themselves, because the challenge names that
        // server.
        let asking = client.methods.first { method in method.variant.resolved.calls.contains { $0.login != nil } }
        if program == .docker, let asking, let user = asking.value(named: "user"), let password = asking.value(named: "password") {
            return (user, password)
        }
        guard let (scheme, token) = try? proof(), scheme.lowercased() == "basic" else { return nil }
        return Self.login(inBasic: token)
    }

    /// Returns the user and password of a Basic credential; `nil` if they contain a control character. A server may have chosen them,
    /// and a line break would begin another attribute of git's protocol.
    static func login(inBasic token: String) -> (user: String, password: String)? {
        guard let data = Data(base64Encoded: token), data.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    private func proof() throws -> (scheme: String, token: String) {
        let parts = field?.value.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2, !parts[1].contains(where: \.isNewline) else {
            throw CommandProblem("The credential is not a token.", exit: CommandExit.badData)
        }
        return (parts[0], parts[1])
    }

    private static func text(of object: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
