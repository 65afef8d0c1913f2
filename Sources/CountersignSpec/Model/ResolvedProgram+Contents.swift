// The contents of a method's steps, by which the generator and the dynamic client choose tools, protocols and tables.

extension ResolvedProgram {
    /// The prompts among the steps.
    package var prompts: [[PromptField]] {
        acquire.flatMap(\.all).compactMap { step in
            if case .prompt(let fields) = step.action { fields } else { nil }
        }
    }

    /// All steps, including repeated ones.
    package var steps: [Step] { (acquire + (renewal?.steps ?? []) + end).flatMap(\.all) }

    /// Whether a step asks the application for the fields of a server's page.
    package var asksPages: Bool {
        steps.contains { step in
            if case .ask = step.action { true } else { false }
        }
    }

    /// Whether steps make keys and certificates.
    package var makesCertificates: Bool {
        functions.contains { function in
            if case .certificate = function { true } else { false }
        }
    }

    /// The documents that the steps name, each once.
    package var documents: [Document] {
        var documents: [Document] = []
        for step in steps {
            if case .document(let document) = step.action, !documents.contains(where: { $0.name == document.name }) {
                documents.append(document)
            }
        }
        return documents
    }

    /// The requests among the steps.
    package var calls: [Call] { steps.flatMap(\.calls) }

    /// The verifications of tokens among the steps.
    var verifications: [Verification] { steps.compactMap(\.verification) }

    /// Whether steps verify tokens.
    package var verifiesTokens: Bool { !verifications.isEmpty }

    /// Whether a client authenticates itself by signed assertions, or steps sign other tokens.
    package var signsTokens: Bool {
        let areSigned = functions.contains { function in
            if case .token = function { true } else { false }
        }
        return areSigned
            || (calls.map(\.client) + tokenCalls.map(\.client) + pages.map(\.push?.client)).contains { $0?.key != nil }
    }

    /// Whether requests use tickets of the system.
    package var showsTickets: Bool { attach.contains { if case .negotiate = $0 { true } else { false } } }

    /// The token requests among the steps.
    package var tokenCalls: [TokenCall] {
        steps.compactMap { step in
            if case .token(let call) = step.action { call } else { nil }
        }
    }

    /// The login pages among the steps.
    package var pages: [Page] {
        steps.compactMap { step in
            if case .present(let page) = step.action { page } else { nil }
        }
    }

    /// The functions that the steps compute.
    var functions: [Function] {
        steps.compactMap { step in
            if case .compute(_, let function) = step.action { function } else { nil }
        }
    }

    /// Whether the application is asked on every path through the steps.
    package var alwaysAsks: Bool {
        acquire.contains { step in
            guard step.conditions.isEmpty, case .prompt(let fields) = step.action else { return false }
            return fields.contains { slots[$0.slot].source == .credential }
        }
    }
}
