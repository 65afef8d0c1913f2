internal import Countersign
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One run of a discovery's steps: what they leave for each other, and where they end.
struct DiscoveryRun<Values: DiscoveryValues, Failure: AuthenticationError> {
    let name: String
    let session: Session
    let pins: ServerPins?
    let bearer: String?
    let input: (any LoginInputSource)?
    var values: Values

    private var key: IdentityKey?
    /// What the server said last.
    private var answer: DiscoveryAnswer?
    /// Whom the last request went to, and what came back.
    private var place: (method: HTTPRequest.Method, origin: Origin?, status: Int?)?
    /// What a person has typed, which no error may bring back.
    private var given: Set<String> = []

    init(
        name: String, session: Session, pins: ServerPins?, bearer: String?, input: (any LoginInputSource)?, values: Values
    ) {
        self.name = name
        self.session = session
        self.pins = pins
        self.bearer = bearer
        self.input = input
        self.values = values
    }

    /// The most bytes of an answer.
    private static var answerLimit: Int { 1 << 18 }

    /// Runs the steps to an identity.
    mutating func identity(by steps: [DiscoveryStep<Values, Failure>]) async throws -> ClientIdentity {
        try await perform(steps)
        // The reader of specs has seen to it that the last step makes one.
        guard let identity = values.identity else { throw error(.invalidRequest, "no step of the discovery makes an identity") }
        return identity
    }

    /// Runs steps one after another.
    mutating func perform(_ steps: [DiscoveryStep<Values, Failure>]) async throws {
        for step in steps {
            try Task.checkCancellation()
            switch step {
            case .call(let step): try await mapping(step.failure) { try await $0.call(step) }
            case .rounds(let step): try await rounds(step)
            case .key(let step): try await mapping(step.failure) { try $0.makeKey(step) }
            case .certificateRequest(let step): try await mapping(step.failure) { try $0.makeRequest(step) }
            case .identity(let step): try await mapping(step.failure) { try $0.makeIdentity(step) }
            }
            session.report(SessionEvent(.ran(step: step.word), observer: name))
        }
    }

    /// Makes the discovery's error of a failure; without one, it is the runtime's, or the one that lies beneath.
    private mutating func mapping<Value>(
        _ map: (DiscoveryFailure) -> Failure?, _ work: (inout Self) async throws -> Value
    ) async throws -> Value {
        do {
            return try await work(&self)
        } catch let failure as DiscoveryFailure {
            let error = map(failure) ?? unmapped(failure)
            report(error, after: failure)
            throw error
        }
    }

    /// Tells where a request failed: error cases that a spec fixes cannot say it.
    private func report(_ error: any Error, after failure: DiscoveryFailure) {
        let code = (error as? any AuthenticationError)?.code ?? (error as? CountersignError)?.code.rawValue
        guard let code, let place else { return }
        switch failure {
        case .status, .network, .missing:
            session.report(
                SessionEvent(
                    .unanswered(code: code, status: place.status), observer: name, origin: place.origin, requestMethod: place.method
                ))
        case .refused, .late, .endless, .name, .key, .certificate, .mismatch: break
        }
    }

    private func unmapped(_ failure: DiscoveryFailure) -> any Error {
        switch failure {
        case .network(let error), .refused(let error): error
        case .status(let status, let message):
            error(
                .operationRefused, message.isEmpty ? "the server answered with another status" : message, at: place?.origin,
                status: status)
        case .missing(let detail), .name(let detail), .certificate(let detail), .mismatch(let detail):
            error(.answerRefused, detail)
        case .late: error(.timedOut, "the input took too long")
        case .endless: error(.answerRefused, "the server went on asking for input")
        case .key: error(.answerRefused, "there is no such kind of key, or it could not be made")
        }
    }

    private func error(
        _ code: CountersignError.Code, _ detail: String, at origin: Origin? = nil, status: Int? = nil
    ) -> CountersignError {
        CountersignError(code, detail: detail, authenticationMethod: name, origin: origin, status: status)
    }

    // MARK: Calls

    private mutating func call(_ step: CallStep<Values, Failure>) async throws {
        try await exchange(step, adding: [:], as: nil)
        try capture(step)
    }

    /// Sends a step's request, and keeps the answer.
    private mutating func exchange(
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
            return ("application/json", try JSONTree.bytes(object))
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

    private mutating func capture(_ step: CallStep<Values, Failure>) throws {
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

    /// A server's message as errors may show it: without what a person has typed and without the token, on one line, and not long.
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

    // MARK: Input

    private mutating func rounds(_ step: RoundsStep<Values, Failure>) async throws {
        do {
            try await mapping(step.call.failure) { try await $0.ask(step) }
        } catch {
            await input?.finished()
            throw error
        }
        await input?.finished()
    }

    private mutating func ask(_ step: RoundsStep<Values, Failure>) async throws {
        var count = 0
        guard answer?.tree != nil else { throw DiscoveryFailure.missing("the answer is no JSON") }
        while let answer = answer?.tree, let page = try step.page.input(in: answer) {
            guard count < step.limit else { throw DiscoveryFailure.endless }
            count += 1
            let given = try await given(for: page, within: step.within)
            try await exchange(step.call, adding: given, as: step.values)
        }
        try capture(step.call)
    }

    /// What the application answers; asked again while two fields that have to be the same are not.
    private mutating func given(for page: LoginInput, within limit: Duration) async throws -> [String: String] {
        guard let input else { throw error(.credentialMissing, "the server asks for input, and nobody is there to give it") }
        var page = page
        for _ in 0..<Self.confirmationLimit {
            let answers = try await LoginRace.answer(of: input, to: page, within: limit, clock: session.configuration.clock)
            guard let answers else { throw CancellationError() }
            let names = Set(page.inputFields.map(\.fieldName))
            let values = Dictionary(answers.filter { names.contains($0.fieldName) }.map { ($0.fieldName, $0.value) }) { $1 }
            given.formUnion(values.values)
            let wrong = page.inputFields.first { !$0.confirmField.isEmpty && values[$0.fieldName] != values[$0.confirmField] }
            guard let wrong else { return values }
            let other = page.inputFields.first { $0.fieldName == wrong.confirmField }?.prompt ?? ""
            page.clientMessage = "'\(wrong.prompt)' is not the same as '\(other)'."
            page.messageType = .error
        }
        throw DiscoveryFailure.refused(
            error(.answerRefused, "two fields that have to be the same were not, \(Self.confirmationLimit) times in a row"))
    }

    /// How often a person may mistype what has to be typed twice.
    private static var confirmationLimit: Int { 10 }

    // MARK: Keys and certificates

    private mutating func makeKey(_ step: KeyStep<Values, Failure>) throws {
        let kind: IdentityKey.Kind
        switch step.kind(values).filter({ !$0.isEmpty }) {
        case []: kind = step.otherwise
        case ["p256"]: kind = .p256
        case ["rsa2048"]: kind = .rsa2048
        default: throw DiscoveryFailure.key
        }
        do {
            key = try IdentityKey(generating: kind)
        } catch {
            throw DiscoveryFailure.key
        }
    }

    private mutating func makeRequest(_ step: CertificateRequestStep<Values, Failure>) throws {
        guard let key else { throw DiscoveryFailure.key }
        do throws(IdentityError) {
            let names =
                Self.names(step.email(values)).map(SubjectAlternativeName.email)
                + Self.names(step.dns(values)).map(SubjectAlternativeName.dns)
            let subject = try CertificateSubject(step.subject(values).joined(separator: ","))
            values.certificateRequest = try CertificateRequest(
                subject: subject, alternativeNames: names, key: key, needsName: false)
        } catch {
            throw error.code == .keyFailed ? DiscoveryFailure.key : .name(error.detail)
        }
    }

    /// Neither hosts nor addresses have commas, with which parameters list them.
    private static func names(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",") }.map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    private mutating func makeIdentity(_ step: IdentityStep<Values, Failure>) throws {
        guard let key else { throw DiscoveryFailure.key }
        var certificates: [[UInt8]] = []
        do {
            for text in step.certificates(values) { certificates += try CertificateBundle(reading: text).certificates }
        } catch {
            throw DiscoveryFailure.certificate(error.detail)
        }
        let identity: ClientIdentity
        do {
            identity = try ClientIdentity(certificates: certificates, privateKey: key)
        } catch {
            throw DiscoveryFailure.mismatch(error.detail)
        }
        guard !identity.isExpired(at: .now) else { throw DiscoveryFailure.mismatch("the certificate is not valid any more") }
        values.identity = identity
    }
}
