internal import Countersign
internal import CountersignSpec

// The responses that a program recognises, with the values that it captures from them: challenges, answers and documents.

extension ChallengePattern {
    init(_ challenge: ResolvedProgram.Challenge, name: String? = nil) {
        self.init(
            name ?? challenge.name.value, conditions: challenge.conditions.map(StepCondition.init),
            isRefusedConnection: challenge.isRefusedConnection, statuses: challenge.statuses,
            headers: NamedList(challenge.headers), schemes: challenge.schemes.map(Scheme.init),
            text: challenge.text.map { Match($0) }, json: NamedList(challenge.json), xml: NamedList(challenge.xml),
            cookies: challenge.cookies.map { $0.isEmpty ? .any : .named(NamedList($0)) }, query: NamedList(challenge.query),
            captures: challenge.captures.map(Capture.init))
    }
}

extension ChallengePattern.Match {
    init(_ match: ResolvedProgram.Condition.Match) {
        self =
            switch match {
            case .present: .present
            case .absent: .absent
            case .equals(let value): .equals(ProgramTemplate(value))
            case .prefix(let value): .prefix(ProgramTemplate(value))
            case .contains(let value): .contains(ProgramTemplate(value))
            case .anyCase(let value): .anyCase(ProgramTemplate(value))
            }
    }
}

extension ChallengePattern.Scheme {
    init(_ scheme: ResolvedProgram.Scheme) {
        self.init(
            scheme.name, in: scheme.field == .proxyAuthenticate ? .proxyAuthenticate : .wwwAuthenticate,
            parameters: NamedList(scheme.parameters))
    }
}

extension ChallengePattern.Capture {
    init(_ capture: ResolvedProgram.Capture) {
        let source: Source =
            switch capture.source {
            case .header(let name): .header(name)
            case .parameter(let name): .parameter(name)
            case .json(let pointers): .json(pointers)
            case .cookie(let name): .cookie(name)
            case .query(let name): .query(name)
            case .input(let name): .input(ProgramTemplate(name))
            case .xml(let path): .xml(path)
            case .body: .body
            }
        let kind: Kind =
            switch capture.kind {
            case .text: .text
            case .decoded: .decoded
            case .url(let places, let isLenient):
                .url(
                    within: places.map { place in
                        switch place {
                        case .response: .response
                        case .slot(let slot): .slot(slot)
                        }
                    }, isLenient: isLenient)
            case .duration(let unit): .duration(unit: .milliseconds(unit))
            case .date: .date
            case .moment: .moment
            case .clock: .clock
            case .texts: .texts
            case .json: .json
            case .element: .element
            case .flag(let wanted): .flag(is: wanted)
            case .truth: .truth
            }
        self = .slot(
            capture.slot, from: source, where: NamedList(capture.items), as: kind, fallback: capture.fallback,
            isOptional: capture.isOptional)
    }
}

extension HTTPCall.Answer {
    init(_ answer: ResolvedProgram.Answer) {
        self.init(ChallengePattern(answer.pattern, name: "answer"), isRefusal: answer.isRefusal, delay: .milliseconds(answer.delay))
    }
}

extension ProgramDocument {
    init(_ document: ResolvedProgram.Document) {
        let places = document.places.map { place -> Place in
            let url = ProgramTemplate(place.url)
            return place.wellKnown.map { .wellKnown($0, of: url, isRoot: place.isRoot) } ?? .url(url)
        }
        self.init(
            at: places, json: NamedList(document.content.json),
            captures: document.content.captures.map(ChallengePattern.Capture.init),
            for: .milliseconds(document.lifetime))
    }
}
