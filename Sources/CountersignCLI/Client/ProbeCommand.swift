import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes

/// Reports how a server asks for authentication, and which landscape answers it.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows the challenge of a server, and which method of which landscape answers it.",
        discussion: """
            Sends one request without any credential, and follows no redirect. The response is compared with the challenges of the \
            landscapes that come with the command, and of '--spec'. If none matches, a draft of a spec is written to the standard \
            output as a starting point.

            Example: countersign probe https://registry.example/v2/
            """)

    @Option(name: [.customShort("X"), .customLong("request")], help: ArgumentHelp("The HTTP method.", valueName: "method"))
    var requestMethod = "GET"

    @Option(
        parsing: .singleValue, help: ArgumentHelp("A folder with the specs of another landscape. Repeatable.", valueName: "folder"),
        completion: .directory)
    var spec: [String] = []

    @Option(
        help: ArgumentHelp("A PEM file with certificate authorities to trust in addition to the system's.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The proxy, such as http://proxy.example:3128 or socks5://127.0.0.1:1080, or 'none'; by default that of HTTPS_PROXY or ALL_PROXY, which can have a password. This machine and the names, addresses and networks in NO_PROXY are reached directly.",
            valueName: "url"))
    var proxy: String?

    @OptionGroup var limit: TimeLimit

    @Flag(help: "Write the result to the standard output as JSON, and no draft.")
    var json = false

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    /// The number of bytes of a body that are examined.
    private static var longestBody: Int { 64 << 10 }

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        do {
            try await limit.run { try await probe(console) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            console.clearProgress()
            try ClientFailure(error).end(on: console, json: json)
        }
    }

    private func probe(_ console: Console) async throws {
        guard let address = URL(string: url), Origin(address) != nil else {
            throw CommandProblem(
                "The argument is not an HTTP or HTTPS URL.", remedy: "Give an absolute URL, such as https://api.example/items.",
                exit: CommandExit.usage)
        }
        guard address.user == nil, address.password == nil else {
            throw CommandProblem("The URL contains a user name or a password; remove it.", exit: CommandExit.usage)
        }
        guard let method = HTTPRequest.Method(requestMethod) else {
            throw CommandProblem("'\(requestMethod)' is not a valid HTTP method.", exit: CommandExit.usage)
        }
        let landscapes =
            try ShippedLandscapes.roots.map(ShippedLandscapes.landscape(named:))
            + spec.map { try ShippedLandscapes.landscape(in: $0, extending: nil) }
        console.progress("sending a request to \(Origin(address).map { "\($0)" } ?? "")")
        let request = SessionRequest(HTTPRequest(method: method, url: address), followsRedirects: false)
        let answer: ProbeAnswer
        do {
            answer = try await self.answer(of: request)
        } catch let error as TransportError where error.reason == .clientCertificate {
            throw Self.problem(of: error, answeredBy: landscapes)
        }
        console.clearProgress()
        let matches = landscapes.flatMap { landscape in
            landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: address) }
        }
        let report = ProbeReport(url: address, answer: answer, matches: matches)
        if json { return try console.print(try report.json()) }
        console.message(report.lines().map(VisibleText.escaped).joined(separator: "\n"))
        if !matches.contains(where: \.isCertain), let draft = SpecDraft(answer, from: address) {
            console.message("A draft of a spec for this response:\n")
            try console.print(draft.text, terminator: "")
        }
    }

    /// Returns the problem of a server that requires a client certificate in the TLS handshake, so that there is no response.
    ///
    /// - Parameter landscapes: The landscapes whose methods with a client certificate are named.
    static func problem(of error: TransportError, answeredBy landscapes: [DynamicLandscape]) -> CommandProblem {
        let methods = landscapes.flatMap { landscape in
            landscape.methods.filter { method in
                method.variants.contains { $0.program.challenges.contains(where: \.isRefusedConnection) }
            }.map { "\(landscape.name).\($0.name)" }
        }
        return CommandProblem(
            error.description,
            remedy: methods.first.map {
                "This is a challenge of \(methods.joined(separator: ", ")). To read about it: countersign explain \($0)"
            },
            exit: CommandExit.unavailable)
    }

    private func answer(of request: SessionRequest) async throws -> ProbeAnswer {
        let transport = CommandTransport(try AuthorityFile.transport(trusting: caFile), proxy: try ProxyAddress(proxy))
        let session = Session(transport: transport)
        do {
            let response = try await session.send(request)
            var body: [UInt8] = []
            for try await piece in response.body {
                body += piece
                if body.count >= Self.longestBody { break }
            }
            response.body.cancel()
            await session.invalidate(cancelling: true)
            return ProbeAnswer(head: response.head, body: Array(body.prefix(Self.longestBody)))
        } catch {
            await session.invalidate(cancelling: true)
            throw error
        }
    }
}

/// The response of a server.
struct ProbeAnswer: Sendable {
    let head: HTTPResponse
    let body: [UInt8]

    /// Returns the challenges in a header field.
    func offers(in field: AuthenticationChallenge.Field = .wwwAuthenticate) -> [AuthenticationChallenge] {
        AuthenticationChallenge.challenges(in: head.headerFields, of: field)
    }

    /// Whether a capture finds a value of its type. The origin of a URL is not compared, since the application's values are unknown.
    func has(_ capture: ChallengePattern.Capture) -> Bool {
        switch capture.source {
        case .header(let name): HTTPField.Name(name).map(head.headerFields.contains) ?? false
        case .cookie(let name): head.headerFields[fields: .setCookie].contains { $0.value.hasPrefix("\(name)=") }
        case .parameter(let name):
            AuthenticationChallenge.Field.allCases.flatMap { offers(in: $0) }.contains { offer in
                guard let text = offer[name] else { return false }
                if case .url = capture.kind { return URL(string: text)?.host() != nil }
                return true
            }
        // Without a value in the body, the challenge would not match.
        case .json, .query, .input, .xml, .body: true
        }
    }

    /// Whether the response can be a challenge.
    var isRefusal: Bool {
        [401, 403, 409].contains(head.status.code)
            || [301, 302, 303, 307, 308].contains(head.status.code) && head.headerFields.contains(.location)
    }
}

/// The result of a probe.
struct ProbeReport: Encodable {
    struct Match: Encodable {
        let landscape, method, challenge: String
        let says: [String: String]
        /// The number of parts of the response that the challenge examines, with the values that it captures.
        let weight: Int
        /// Whether the landscape comes with the command.
        let isShipped: Bool

        /// Whether the response has the values that the method requires of it.
        let isComplete: Bool

        /// Whether the match is reliable, which it is not if only the status code matches.
        var isCertain: Bool { weight > 1 && isComplete }

        private enum CodingKeys: CodingKey {
            case landscape, method, challenge, says, isCertain
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(landscape, forKey: .landscape)
            try container.encode(method, forKey: .method)
            try container.encode(challenge, forKey: .challenge)
            try container.encode(says, forKey: .says)
            try container.encode(isCertain, forKey: .isCertain)
        }

        init?(_ method: DynamicMethod, of landscape: DynamicLandscape, answer: ProbeAnswer, from url: URL) {
            guard method.kind != .enrolment, let variant = method.variants.first else { return nil }
            let shown = ShownParameters(of: variant, in: answer, from: url)
            guard
                let found = variant.program.recognition(of: answer.head, body: answer.body, from: url, shown.values)
            else { return nil }
            self.landscape = landscape.name
            self.method = method.name
            challenge = found.challenge
            says = found.says.merging(shown.named) { captured, _ in captured }
            isShipped = ShippedLandscapes.names.contains(landscape.name)
            let pattern = variant.program.challenges.first { $0.name == found.challenge }
            let captures = pattern?.captures ?? []
            weight = (pattern?.weight ?? 0) + captures.count(where: answer.has)
            let example = method.resolved.challenges.first { $0.name.value == found.challenge }?.example
            isComplete =
                captures.allSatisfy { $0.isOptional || $0.fallback != nil || answer.has($0) }
                && (shown.named.isEmpty || shown.resembles(example))
        }
    }

    struct Offer: Encodable {
        let field, scheme: String
        let parameters: [String: String]
    }

    /// The version of the JSON format.
    let version = 1
    let url: String
    let status: Int
    let offers: [Offer]
    let location: String?
    let contentType: String?
    let cookies: [String]
    let matches: [Match]
    /// Whether a credential for the server is encrypted on its way, or stays on this machine.
    private let isPrivate: Bool

    private enum CodingKeys: CodingKey {
        case version, url, status, offers, location, contentType, cookies, matches
    }

    init(url: URL, answer: ProbeAnswer, matches: [Match]) {
        self.url = url.absoluteString
        isPrivate = Origin(url)?.isPrivate ?? false
        status = answer.head.status.code
        offers = AuthenticationChallenge.Field.allCases.flatMap { field in
            answer.offers(in: field).map { Offer(field: field.name.rawName, scheme: $0.scheme, parameters: $0.parameters) }
        }
        location = answer.head.headerFields[.location].map { text in
            URL(string: text, relativeTo: url).map {
                "\(Origin($0.absoluteURL).map { "\($0)" } ?? "")\($0.path(percentEncoded: true))"
            } ?? text
        }
        contentType = answer.head.headerFields[.contentType]
        cookies = answer.head.headerFields[fields: .setCookie].map { String($0.value.prefix { $0 != "=" }) }
        // The most specific match comes first.
        self.matches = matches.sorted { ($0.isCertain ? 1 : 0, $0.weight) > ($1.isCertain ? 1 : 0, $1.weight) }
    }

    func json() throws -> String { try JSONText.of(self) }

    /// Returns the report as text, part by part.
    func lines() -> [String] {
        var lines = ["\(url) answered with status \(status)."]
        for offer in offers {
            lines.append("  \(offer.field): \(offer.scheme)")
            lines += offer.parameters.sorted { $0.key < $1.key }.map { "    \($0.key) = \($0.value)" }
        }
        if let location { lines.append("  Location: \(location)") }
        if let contentType { lines.append("  Content-Type: \(contentType)") }
        if !cookies.isEmpty { lines.append("  Set-Cookie: \(cookies.joined(separator: ", "))") }
        for match in matches {
            let verb = match.isCertain ? "is" : "may be"
            lines.append("This \(verb) the challenge '\(match.challenge)' of \(match.landscape).\(match.method).")
            lines += match.says.sorted { $0.key < $1.key }.map { "  \($0.key) = \($0.value)" }
        }
        let best = matches.filter { $0.isCertain && $0.weight == matches[0].weight }
        if best.count > 1, best.allSatisfy({ $0.isShipped && $0.landscape == best[0].landscape }) {
            lines.append("Each of these methods answers it; they differ in how the user logs in. Next, compare them:")
            lines += best.map { "  countersign explain --landscape \($0.landscape) \($0.method)" }
        } else if best.count > 1 {
            lines += [
                "Which of them the server means is not in the response. To read about one: countersign explain LANDSCAPE.METHOD",
                "If the server has a login of its own: countersign new NAME",
            ]
        } else if let first = best.first, first.isShipped {
            lines.append("Next: countersign explain --landscape \(first.landscape) \(first.method)")
        } else if matches.isEmpty {
            lines.append("The response contains no challenge of a known landscape.")
            if (200..<300).contains(status) {
                lines.append("It may need no login: give a URL that requires one, or another HTTP method with '-X'.")
            }
        } else if best.isEmpty {
            lines.append("The response has too little to tell. To read about one: countersign explain LANDSCAPE.METHOD")
        }
        if !isPrivate {
            lines.append("The server does not use TLS. Credentials are sent to such a server only on this machine.")
        }
        return lines
    }
}

extension ChallengePattern {
    /// The number of parts of a response that the pattern requires, without its captures. Absent parts do not count, since almost
    /// every response lacks them.
    fileprivate var weight: Int {
        func count(_ conditions: NamedList<Named>) -> Int { conditions.count { $0.match != .absent } }
        let parts = [!statuses.isEmpty, text != nil, cookies != nil].filter(\.self).count
        let offered = schemes.map { 1 + count($0.parameters) }.reduce(0, +)
        return parts + offered + count(headers) + count(json)
    }
}
