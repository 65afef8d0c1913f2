/// The values of a method that contain its secrets.
struct SecretFlow {
    private let program: ResolvedProgram
    /// The values that contain others, by the slots of these.
    private let containers: [Int: [(slot: Int, form: SecretDestinations.Form)]]

    init(_ program: ResolvedProgram) {
        self.program = program
        var containers: [Int: [(slot: Int, form: SecretDestinations.Form)]] = [:]
        func note(_ contents: [SecretContent], in slot: Int) {
            for content in contents { containers[content.slot, default: []].append((slot, content.form)) }
        }
        for field in program.credential.fields { note(field.value?.contents() ?? [], in: field.slot) }
        for case let (slot, function)? in program.steps.map(\.computed) { note(function.contents(), in: slot) }
        for (slot, field) in program.fieldsBefore { note([SecretContent(slot: field)], in: slot) }
        self.containers = containers
    }

    /// Whether another value contains the one in a slot, or something that is computed from it.
    func isContained(_ slot: Int) -> Bool { containers[slot] != nil }

    /// Returns the values that contain a secret, with what they contain of it: the secret's own slot, and those computed from it.
    func reached(from secret: Int) -> [Int: Set<SecretDestinations.Form>] {
        var reached: [Int: Set<SecretDestinations.Form>] = [secret: [.itself]]
        var open: [SecretContent] = [SecretContent(slot: secret)]
        while let next = open.popLast() {
            for (slot, form) in containers[next.slot] ?? [] {
                let content = SecretContent(slot: slot, form: next.computed(as: form).form)
                if reached[slot, default: []].insert(content.form).inserted { open.append(content) }
            }
        }
        return reached
    }

    /// The slots of the secrets. A value that only contains another secret, such as a field of the credential that is set from a
    /// parameter, is not one of its own.
    var secrets: [Int] {
        let all = program.slots.indices.filter { program.slots[$0].isSecret }
        let filled = program.filledSlots
        let own = all.filter { slot in
            [.parameter, .challenge].contains(program.slots[slot].source) || filled.contains(slot)
        }
        var secrets: Set<Int> = []
        var contained: Set<Int> = []
        for slot in own + all where own.contains(slot) || !contained.contains(slot) {
            secrets.insert(slot)
            contained.formUnion(copies(of: slot))
        }
        return secrets.sorted()
    }

    /// Returns the slots of the values that contain a secret itself, its own slot included.
    func copies(of secret: Int) -> Set<Int> {
        Set(reached(from: secret).filter { $0.value.contains(.itself) }.keys)
    }
}

extension ResolvedProgram {
    /// The slots that steps read from the previous credential, with those of its fields.
    var fieldsBefore: [(slot: Int, field: Int)] {
        slots.indices.compactMap { slot in
            let name = slots[slot].name.value
            guard slots[slot].source == .step, name.hasPrefix("before."),
                let field = slots.indices.first(where: {
                    slots[$0].source == .credential && "before.\(slots[$0].name.value)" == name
                })
            else { return nil }
            return (slot, field)
        }
    }

    /// The slots that steps fill with more than other secrets: with answers of the application, values of servers, and new ones.
    fileprivate var filledSlots: Set<Int> {
        Set(
            steps.flatMap { step -> [Int] in
                switch step.action {
                case .prompt(let fields): fields.map(\.slot)
                case .present(let page): page.answers.flatMap(\.pattern.captures).map(\.slot)
                case .http(let call): call.answers.flatMap(\.pattern.captures).map(\.slot)
                case .token: [credential.token?.access, credential.token?.refresh].compactMap(\.self)
                case .document(let document): document.content.captures.map(\.slot)
                case .verify(let verification): verification.captures.map(\.slot)
                case .ask(_, _, let slot, _): [slot]
                // Such as a key, a hash or a signed token.
                case .compute(let slot, let function):
                    function.contents().contains { $0.form == .itself && slots[$0.slot].isSecret } ? [] : [slot]
                case .repeat: []
                }
            })
    }
}
