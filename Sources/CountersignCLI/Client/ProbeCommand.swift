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
            landscapes that come with the command, and of '--spec'. Of a landscape for a product, which extends another one, only \
            what is its own is reported: a challenge that the extended one does not have, and its servers. If none matches, a draft \
            of a spec is written to the standard output as a starting point.

            Example: countersign probe https://registry.example/v2/
            """)

    @Option(name: [.customShort("X"), .customLong("request")], help: ArgumentHelp("The HTTP method.", valueName: "method"))
    var requestMethod = "GET"

    @Option(
        parsing: .singleValue, help: ArgumentHelp("A folder with the specs of another landscape. Repeatable.", valueName: "folder"),
        completion: .directory)
    var spec: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder of the landscape that '--spec' extends, if it does not come with the command.", valueName: "folder"),
        completion: .directory)
    var base: String?

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var limit: TimeLimit

    @Flag(help: "Write the result to the standard output as JSON, and no draft.")
    var json = false

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    /// The number of bytes of a body that are examined.
    private static var longestBody: Int { 64 << 10 }

    func validate() throws {
        guard base == nil || !spec.isEmpty else { throw ValidationError("'--base' belongs to '--spec'.") }
    }

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
        let method = try HTTPRequest.Method.named(requestMethod)
        let landscapes =
            try ShippedLandscapes.roots.map(ShippedLandscapes.landscape(named:))
            + ShippedLandscapes.landscapes(in: spec, extending: base)
        console.progress("sending a request to \(Origin(address).map { "\($0)" } ?? "")")
        let request = SessionRequest(HTTPRequest(method: method, url: address), followsRedirects: false)
        let answer: ProbeAnswer
        do {
            answer = try await self.answer(of: request)
        } catch let error as TransportError where error.reason == .clientCertificate {
            throw Self.problem(of: error, answeredBy: landscapes)
        }
        console.clearProgress()
        let matches = landscapes.flatMap { ProbeReport.Match.all(of: $0, answer: answer, from: address) }
        let products = try ShippedLandscapes.extensions.map { name, base in
            ProbedProduct(
                try ShippedLandscapes.landscape(named: name), extending: base, answer: answer, from: address, beside: matches)
        }
        let report = ProbeReport(url: address, answer: answer, matches: matches, products: products)
        if json { return try console.print(try report.json()) }
        console.message(report.lines().map(VisibleText.escaped).joined(separator: "\n"))
        if !report.matches.contains(where: \.isCertain), let draft = SpecDraft(answer, from: address) {
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
        let transport = CommandTransport(
            try AuthorityFile.transport(trusting: connection.caFile), proxy: try ProxyAddress(connection.proxy))
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
