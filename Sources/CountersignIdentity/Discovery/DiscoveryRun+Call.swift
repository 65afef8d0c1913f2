internal import Countersign
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DiscoveryRun {
    /// The most bytes of an answer.
    private static var answerLimit: Int { 1 << 18 }

    mutating func call(_ step: CallStep<Values, Failure>) async throws {
        try await exchange(step, adding: [:], as: nil)
        try capture(step)
    }

    /// Sends a step's request, and keeps the answer.
    mutating func exchange(
        _ step: CallStep<Values, Failure>, adding input: [String: String], as member: String?
    ) async throws {
        let url = step.url.value(values)
        try check(url, calledAs: step.url.text)
        guard let method = HTTPRequest.Method(rawValue: step.method) else {
            throw error(.invalidRequest, "'\(step.method)' is no method of HTTP", at: Origin(url))
        }
        var head = HTTPRequest(method: method, url: url, headerFields: [.accept: step.accepts, .cacheControl: "no-store"])
        if let bearer { head.headerFields[.authorization] = "Bearer \(bearer)" }
        var body = RequestBody.none
        if let content = try content(of: step.body, adding: input, as: member) {
            head.headerFields[.contentType] = content.type
            body = .bytes(content.bytes)
        }
        var request = SessionRequest(head, body: body, followsRedirects: false)
        request.pins = pins
        place = (method, Origin(url), nil)
        let response = try await response(to: request)
        let status = response.head.status.code
        place?.status = status
        guard step.statuses.contains(status) else {
            // Whatever becomes of the body: the status says enough.
            let bytes = (try? await bytes(of: response)) ?? []
            try Task.checkCancellation()
            throw DiscoveryFailure.status(status, message: shown(step.message.flatMap { JSONTree(bytes)?[$0]?.text } ?? ""))
        }
        answer = DiscoveryAnswer(try await bytes(of: response))
    }

    private func check(_ url: URL, calledAs name: String) throws {
        guard let origin = Origin(url) else { throw error(.invalidRequest, "\(name) is not an absolute http or https URL") }
        guard origin.isPrivate else {
            throw error(
                .insecureDestination, "\(name) leads to \(origin), where credentials would be sent unencrypted", at: origin)
        }
    }

    private func content(
        of body: CallStep<Values, Failure>.Body, adding input: [String: String], as member: String?
    ) throws -> (type: String, bytes: [UInt8])? {
        func texts(_ named: [NamedTemplate<Values>]) -> [(name: String, value: String)] {
            named.compactMap { item in item.value.value(values).map { (item.name, $0) } }.filter { !$0.1.isEmpty }
        }
        switch body {
        case .nothing: return nil
        case .json(let named):
            var object: [String: any Encodable] = [:]
            for (name, value) in texts(named) { object[name] = value }
            if let member { object[member] = input }
            return ("application/json", try JSONMembers(members: object).bytes())
        case .form(let named):
            let fields = texts(named) + input.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            let pairs = fields.map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }
            return ("application/x-www-form-urlencoded", Array(pairs.joined(separator: "&").utf8))
        case .certificateRequest:
            guard let request = values.certificateRequest else { throw DiscoveryFailure.key }
            return ("application/pkcs10", request.der)
        }
    }

    private func response(to request: SessionRequest) async throws -> SessionResponse {
        do {
            return try await session.send(request)
        } catch let error as TransportError {
            throw DiscoveryFailure.network(error)
        } catch let error as CountersignError where error.code == .timedOut {
            throw DiscoveryFailure.network(error)
        }
    }

    private func bytes(of response: SessionResponse) async throws -> [UInt8] {
        do {
            let configuration = session.configuration
            return try await response.body.collect(
                upTo: Self.answerLimit, within: configuration.requestTimeout, clock: configuration.clock)
        } catch let error as CountersignError where error.code == .responseTooLarge {
            throw DiscoveryFailure.missing("the answer has more than \(Self.answerLimit) bytes")
        } catch let error as CountersignError where error.code == .timedOut {
            throw DiscoveryFailure.network(error)
        } catch let error as TransportError {
            throw DiscoveryFailure.network(error)
        }
    }

    mutating func capture(_ step: CallStep<Values, Failure>) throws {
        for capture in step.captures {
            let texts = answer?.texts(at: capture.pointer).filter { !$0.isEmpty } ?? []
            // An answer that cannot be read lacks also what could be absent from one.
            guard !texts.isEmpty || (capture.isOptional && answer?.tree != nil) else {
                let isJSON = answer?.tree != nil || capture.pointer == "body"
                throw DiscoveryFailure.missing(
                    isJSON ? "the answer has no text at '\(capture.pointer)'" : "the answer is no JSON")
            }
            capture.store(&values, texts)
        }
    }

    /// A server's message as errors may show it: without what the user has typed and without the token, on one line, and not long.
    private func shown(_ message: String) -> String {
        let secrets = given.union([bearer].compactMap(\.self)).filter { $0.count >= 3 }
        // A message is a line or two: what is behind that is not kept, so it need not be searched.
        var text = String(message.unicodeScalars.prefix(1 << 14))
        for secret in secrets.sorted(by: { $0.count > $1.count }) { text = text.replacing(secret, with: "<redacted>") }
        let scalars = text.unicodeScalars.map { scalar in
            let isLayout: Bool =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            return isLayout ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars).prefix(300))
    }
}
