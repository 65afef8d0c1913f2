/// Reads the error cases that a step names for its failures.
struct StepFailureReader {
    /// The declared error cases.
    let errors: ErrorScope

    /// Reads the errors of a prompt for fields.
    func ofPrompt(
        _ step: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.Failure, errorCase: Located<String>)] {
        errors.cases(
            named: step["failures"], words: [ResolvedProgram.Failure.cancelled, .missing, .unusable].map { ($0.word, $0) },
            of: "prompt", into: &diagnostics
        ) { $0 == .unusable ? .some(of: [.string]) : .nothing }
    }

    /// Reads the errors of a login page.
    func ofPage(
        _ step: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.Page.Failure, errorCase: Located<String>)] {
        let isRedirect = step["present"]?["until"] != nil
        let known =
            step["present"]?.pollingEntry != nil
            ? [.dismissed, .load, .background]
            : ResolvedProgram.Page.Failure.allCases.filter { isRedirect || $0 != .server && $0 != .missing }
        return errors.cases(named: step["failures"], words: known.map { ($0.rawValue, $0) }, of: "present", into: &diagnostics) {
            failure in
            switch failure {
            case .load: .error
            case .refused: .some(of: [.error])
            case .server: .some(of: [.serverError])
            case .missing, .dismissed, .reloaded, .background: .nothing
            }
        }
    }

    /// Reads the errors of a token request.
    func ofTokenRequest(
        _ step: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)] {
        let words = ResolvedProgram.TokenCall.Failure.allCases.map { ($0.rawValue, $0) }
        return errors.cases(named: step["failures"], words: words, of: "http", into: &diagnostics) { failure in
            switch failure {
            case .server: .some(of: [.serverError])
            case .status, .network, .noResponse: .some(of: [.error, .status, .responseText])
            case .decode: .some(of: [.string, .response, .responseData])
            }
        }
    }

    /// Reads the errors of all other steps. Pages, token requests and prompts for fields have their own words.
    func ofStep(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.Step.Failure, errorCase: Located<String>)] {
        let kind: String
        let failures: [ResolvedProgram.Step.Failure]
        // If a step has several actions, the intended one is unknown.
        guard SpecLanguage.step.alternatives.count(where: { node[$0] != nil }) == 1 else { return [] }
        if let http = node["http"] {
            guard http["answers"]?.text?.value != "oauth2-token" else { return [] }
            (kind, failures) = ("http", [.status, .network, .missing])
        } else if node["prompt"]?["page"] != nil {
            (kind, failures) = ("prompt", [.missing, .refused, .late])
        } else if node["verify"] != nil {
            (kind, failures) = ("verify", [.status, .network, .missing, .untrusted])
        } else if let functions = node["compute"] {
            (kind, failures) = ("compute", functions.entries.flatMap { ProgramFunctionReader.failures(of: $0.value) })
        } else if node["repeat"] != nil {
            (kind, failures) = ("repeat", [.status, .network, .missing, .refused, .late, .endless, .untrusted])
        } else {
            return []
        }
        let words = ResolvedProgram.Step.Failure.allCases.filter(failures.contains).map { ($0.rawValue, $0) }
        return errors.cases(named: node["failures"], words: words, of: kind, into: &diagnostics) { .some(of: $0.cargo) }
    }
}

extension ResolvedProgram.Step.Failure {
    /// The values that a case for the failure can carry.
    fileprivate var cargo: [ResolvedErrorCase.CarriedType] {
        switch self {
        case .status: [.statusCode, .string]
        case .network, .refused: [.error]
        case .missing, .name, .certificate, .mismatch, .untrusted: [.string]
        case .late, .endless, .key: []
        }
    }
}
