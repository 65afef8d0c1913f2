extension ResolvedProgram {
    /// The program of a discovery: an enrolment, whose one credential is the identity that its steps make.
    public init(lowering discovery: ResolvedDiscovery) {
        var slots = LoweredSlots(at: discovery.name.location)
        let lowering = DiscoveryLowering(discovery, &slots)
        let acquire = discovery.obtain.enumerated().map { index, step in
            lowering.step(step, isAsking: discovery.obtain[index...].contains(where: \.isAsking), &slots)
        }
        let identity = slots.slot(named: DiscoveryLowering.identity, .credential, isSecret: true)
        let end =
            lowering.ofIdentity(identity, for: discovery.retire, &slots)
            + discovery.retire.map { lowering.step($0, isAsking: false, &slots) }
        self.init(
            name: discovery.name, stem: discovery.stem, documentation: discovery.documentation, parameters: [], slots: slots.all,
            challenges: [],
            credential: Credential(
                fields: [CredentialField(slot: identity, summary: "The key and its certificate.")], separators: [],
                space: .origin, destinations: []),
            acquire: acquire, attach: [], rejections: [], end: end, errors: [discovery.errors],
            failures: discovery.cancelled.map { [(failure: .cancelled, errorCase: $0)] } ?? [])
    }

    /// The slot of the access token that the application can hand over, of a discovery with `bearer`.
    public var bearer: Int? { slots.firstIndex { $0.source == .parameter && $0.filling == nil } }
}

/// Lowers the steps of a discovery one after another.
private struct DiscoveryLowering {
    typealias Step = ResolvedProgram.Step
    typealias Template = ResolvedProgram.Template

    // No name of the spec's: those have no dot, or begin otherwise.
    static let identity = "credential.identity"

    /// Whether a request is sent as PEM.
    private let needsPEM: Bool
    private let pins: Int?
    private let bearer: Int?

    init(_ discovery: ResolvedDiscovery, _ slots: inout LoweredSlots) {
        needsPEM = discovery.obtain.flatMap(\.templates).flatMap(\.pieces).contains(.slot(.certificateRequest))
        pins = discovery.pins.map { pins in
            slots.slot(
                .texts(ResolvedTemplate(text: pins.value, location: pins.location, pieces: [.parameter(pins.value, .texts)])))
        }
        bearer = discovery.bearer.map { slots.slot(named: $0.value, .parameter, isSecret: true) }
    }

    /// - Parameter isAsking: Whether rounds look into the answer.
    func step(_ step: ResolvedDiscoveryStep, isAsking: Bool, _ slots: inout LoweredSlots) -> Step {
        Step(conditions: [], action: action(step.action, isAsking, &slots), failures: step.failures)
    }

    private func action(
        _ action: ResolvedDiscoveryStep.Action, _ isAsking: Bool, _ slots: inout LoweredSlots
    ) -> Step.Action {
        switch action {
        case .call(let call): return .http(self.call(call, capturing: captures(of: call, &slots), isAsking: isAsking, &slots))
        case .rounds(let rounds): return .steps(steps(of: rounds, &slots))
        case .key(let key):
            let kind = key.named.map { text($0, &slots) }
            return .compute(slot: self.key(&slots), .certificate(.key(kind, otherwise: key.otherwise)))
        case .certificateRequest(let subject, let dns, let email):
            let function = ResolvedProgram.CertificateFunction.request(
                key: key(&slots), subject: subject.map { text($0, &slots) }, dns: dns.map { text($0, &slots) },
                email: email.map { text($0, &slots) })
            let request = slots.slot(of: .certificateRequestBase64)
            let make = Step.Action.compute(slot: request, .certificate(function))
            guard needsPEM else { return make }
            let pem = Step.Action.compute(slot: slots.slot(of: .certificateRequest), .certificate(.pem(request)))
            return .steps([make, pem].map { Step(conditions: [], action: $0) })
        case .identity(let template):
            let certificates = text(template, &slots).slots.first ?? 0
            return .compute(
                slot: slots.slot(named: Self.identity, .credential, isSecret: true),
                .certificate(.identity(key: key(&slots), certificates: certificates)))
        }
    }

    /// What the calls say of the identity that is retired.
    func ofIdentity(
        _ identity: Int, for steps: [ResolvedDiscoveryStep], _ slots: inout LoweredSlots
    ) -> [Step] {
        let used = Set(steps.flatMap(\.templates).flatMap(\.pieces))
        let functions: [(FlowSlot, ResolvedProgram.CertificateFunction)] = [
            (.serialNumber, .serialNumber(identity)), (.certificate, .pem(identity)),
        ]
        return functions.filter { used.contains(.slot($0.0)) }.map { value, function in
            Step(conditions: [], action: .compute(slot: slots.slot(of: value), .certificate(function)))
        }
    }

    private func key(_ slots: inout LoweredSlots) -> Int { slots.slot(named: "generated.key", .step, isSecret: true) }

    private func answer(_ slots: inout LoweredSlots) -> Int { slots.slot(named: "server.answer", .step) }

    // MARK: Calls

    private func captures(of call: ResolvedCall, _ slots: inout LoweredSlots) -> [ResolvedProgram.Capture] {
        call.captures.map { capture in
            ResolvedProgram.Capture(
                slot: slots.slot(of: .texts(capture.slot.value)),
                source: capture.pointer == "body" ? .body : .json([capture.pointer]), kind: .texts,
                isOptional: capture.isOptional)
        }
    }

    /// - Parameters:
    ///   - answers: The slot of what the application has answered, and the member of JSON that has it.
    ///   - isAsking: Whether rounds look into the answer.
    private func call(
        _ call: ResolvedCall, sending answers: (slot: Int, member: String?)? = nil,
        capturing captures: [ResolvedProgram.Capture], isAsking: Bool, _ slots: inout LoweredSlots
    ) -> ResolvedProgram.Call {
        let isOfBody = call.captures.contains { $0.pointer == "body" }
        var headers = [
            ResolvedProgram.Member(name: Template(text: "Accept"), value: Template(text: isOfBody ? "*/*" : "application/json"))
        ]
        if let bearer {
            headers.append(
                ResolvedProgram.Member(
                    name: Template(text: "Authorization"), value: Template(pieces: [.text("Bearer "), .slot(bearer)])))
        }
        // An answer that cannot be read lacks also what could be absent from one.
        let needsJSON = captures.contains { $0.source != .body }
        var kept = captures
        if isAsking { kept.append(.init(slot: answer(&slots), source: .body, kind: .json, isOptional: true)) }
        let pattern = ResolvedProgram.Challenge(
            name: Located("answer", at: call.url.location), statuses: call.statuses, headers: [], schemes: [],
            json: needsJSON ? [.init(name: "", match: .present)] : [], query: [], captures: kept)
        return ResolvedProgram.Call(
            method: call.method, url: url(call.url, &slots), query: [], headers: headers,
            body: body(call.body, sending: answers, &slots), answers: [.init(pattern: pattern, isRefusal: false)],
            usesSession: true, pins: pins, message: call.message)
    }

    private func body(
        _ body: ResolvedCall.Body, sending answers: (slot: Int, member: String?)?, _ slots: inout LoweredSlots
    ) -> ResolvedProgram.Body? {
        switch body {
        case .nothing: return nil
        case .certificateRequest: return .data(slots.slot(of: .certificateRequestBase64), type: "application/pkcs10")
        case .form(let values):
            let members = values.map { ResolvedProgram.Member(name: Template(text: $0.name.value), value: text($0.value, &slots)) }
            let all = answers.map { ResolvedProgram.Member(name: Template(text: "*"), value: Template(pieces: [.slot($0.slot)])) }
            return .form(members + [all].compactMap(\.self))
        case .json(let values):
            var members = values.map { ResolvedProgram.JSON.Member(name: $0.name.value, value: .text(text($0.value, &slots))) }
            if let answers, let member = answers.member { members.append(.init(name: member, value: .value(answers.slot))) }
            return .json(.object(members.sorted { $0.name < $1.name }))
        }
    }

    // MARK: Rounds

    /// Asks and sends as long as the answer has a list of fields, then takes values out of the last answer.
    private func steps(of rounds: ResolvedRounds, _ slots: inout LoweredSlots) -> [Step] {
        let answer = answer(&slots)
        let given = slots.slot(named: "user.answers", .step, isSecret: true)
        let within = rounds.within?.value.milliseconds ?? 120_000
        let ask = Step.Action.ask(rounds.page, of: answer, into: given, within: within)
        let send = Step.Action.http(
            call(rounds.call, sending: (slot: given, member: rounds.values), capturing: [], isAsking: true, &slots))
        let fields = rounds.page.first { $0.key == .fields }?.text ?? ""
        let again = Step.Action.repeat(
            limit: rounds.limit, whileListAt: fields, in: answer, [ask, send].map { Step(conditions: [], action: $0) })
        let captures = rounds.call.captures.map { capture in
            Step.Action.compute(
                slot: slots.slot(of: .texts(capture.slot.value)),
                .texts(in: answer, at: capture.pointer, isOptional: capture.isOptional))
        }
        return ([again] + captures).map { Step(conditions: [], action: $0) }
    }

    // MARK: Texts

    /// A text that is sent: what steps leave, or what the generated code makes of parameters, absent where that is empty.
    private func text(_ template: ResolvedTemplate, _ slots: inout LoweredSlots) -> Template {
        guard template.pieces.contains(where: \.isOfStep) else {
            if template.pieces.count == 1, case .text(let text) = template.pieces[0] { return Template(text: text) }
            let isList = template.pieces.count == 1 && template.pieces[0].isList
            return Template(pieces: [.slot(slots.slot(isList ? .texts(template) : .nonempty(template)))])
        }
        return slots.pieces(of: template) { .part($0) }
    }

    /// An address: made by the generated code, but for what follows the server where that has what steps leave.
    private func url(_ template: ResolvedTemplate, _ slots: inout LoweredSlots) -> Template {
        guard template.pieces.contains(where: \.isOfStep), let first = template.pieces.first else { return slots.url(template) }
        var (base, rest) = (template, template)
        base.pieces = [first]
        rest.pieces.removeFirst()
        if case .text(let text) = first, let scheme = text.firstRange(of: "://")?.upperBound {
            let end = text[scheme...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
            base.pieces = [.text(String(text[..<end]))]
            rest.pieces.insert(.text(String(text[end...])), at: 0)
        }
        base.text = base.pieces.map(\.spelling).joined()
        return Template(pieces: slots.url(base).pieces + slots.pieces(of: rest) { .part($0) }.pieces)
    }
}

extension ResolvedProgram.Template {
    fileprivate init(text: String) { self.init(pieces: [.text(text)]) }
}

extension ResolvedTemplate.Piece {
    /// Whether a step leaves it.
    fileprivate var isOfStep: Bool { if case .slot = self { true } else { false } }

    /// Whether it is a list of texts.
    fileprivate var isList: Bool { if case .parameter(_, .texts) = self { true } else { false } }
}
