#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Sends one ``HTTPCall`` and reads its answer.
struct CallRun {
    /// A server has refused the login, by an answer that the spec knows.
    struct Refusal: Error {
        let call: HTTPCall
        let origin: Origin?
        let status: Int
    }

    /// More than this is no answer to a login.
    private static var longestBody: Int { 1 << 20 }

    let call: HTTPCall
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]
    /// The cookies that it carries and changes; `nil` for the session's.
    let cookies: CookieJar?

    /// - Returns: What the answer says, by slot.
    /// - Throws: ``Refusal``; ``CountersignError``; ``TransportError``; `CancellationError`.
    func said() async throws -> [Int: ProgramValue] {
        let (request, url) = try request()
        // Not for a user who has logged out meanwhile.
        try FlightScope.requireWanted()
        let response = try await session.send(request, involvingObservers: false)
        let status = response.head.status.code
        let configuration = session.configuration
        let body = try await response.body.collect(
            upTo: Self.longestBody, within: configuration.requestTimeout, clock: configuration.clock)
        var reading = ResponseReading(response.head, from: url, body: body)
        for answer in call.answers {
            guard let pattern = CompiledChallenge(answer.pattern, values), pattern.matches(&reading) else { continue }
            guard !answer.isRefusal else { throw Refusal(call: call, origin: Origin(url), status: status) }
            return try pattern.values(&reading)
        }
        throw CountersignError(
            .unexpectedAnswer, detail: "the server's answer is none that the spec knows", requestMethod: call.method,
            origin: Origin(url), status: status)
    }

    private func request() throws -> (SessionRequest, URL) {
        guard let address = call.address(values), let origin = Origin(address), address.user == nil,
            let method = HTTPRequest.Method(call.method)
        else { throw CountersignError(.invalidRequest, detail: "the address of a login is none") }
        guard origin.isPrivate else {
            throw CountersignError(.insecureDestination, detail: "a login would be sent unencrypted", origin: origin)
        }
        var query = FormParameters()
        for member in call.query {
            if let name = member.name.text(values) { query[name] = member.value.text(values) }
        }
        let url = address.merging(query)
        var head = HTTPRequest(method: method, url: url, headerFields: [.cacheControl: "no-store"])
        for member in call.headers {
            guard let text = member.name.text(values), let name = HTTPField.Name(text),
                let field = try CredentialPlacement.header(text, member.value).field(values)
            else { continue }
            head.headerFields[fields: name] = [field]
        }
        if let login = call.login,
            let field = try CredentialPlacement.basic(user: login.user, password: login.password).field(values)
        {
            head.headerFields[fields: .authorization] = [field]
        }
        var body = RequestBody.none
        if let content = call.body {
            head.headerFields[.contentType] = content.contentType
            body = .bytes(Array(content.text(values).utf8))
        }
        var request = SessionRequest(head, body: body, followsRedirects: false)
        request.cookies = cookies
        return (request, url)
    }
}
