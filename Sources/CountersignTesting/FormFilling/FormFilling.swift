/// What a person would type: which value goes into which field of a form.
struct FormFilling: Sendable {
    private enum Knowledge: Sendable {
        case login(user: String, password: String)
        case values([String: String])
    }
    private let knowledge: Knowledge

    init(user: String, password: String) { knowledge = .login(user: user, password: password) }

    init(values: [String: String]) { knowledge = .values(values) }

    /// The fields of a filled form, in the order of the page.
    enum Outcome {
        case filled([(name: String, value: String)], typed: Bool)
        case unknown([String])
        case unsupported
    }

    /// Fills a form, as if it were submitted by `button`.
    func fill(_ form: HTMLForm, with button: HTMLField?) -> Outcome {
        var pairs: [(name: String, value: String)] = []
        var unknown: [String] = []
        var hasTyped = false
        let userField = form.fields.firstIndex { field in
            if case .text(isUserLike: true) = field.kind { return !field.isReadOnly }
            return false
        }
        for (index, field) in form.fields.enumerated() {
            if let typed = typed(field, isUserField: index == userField) {
                hasTyped = true
                if !field.name.isEmpty { pairs.append((field.name, typed)) }
                continue
            }
            switch field.kind {
            case .submit(let isImage):
                guard field == button, !field.name.isEmpty || isImage else { continue }
                pairs += isImage ? clicked(field) : [(field.name, field.value)]
            case .checkbox, .radio:
                if field.isChecked, !field.name.isEmpty { pairs.append((field.name, field.value)) }
            case .select(let isMultiple):
                let chosen = field.options.filter(\.isSelected)
                let sent = isMultiple || !chosen.isEmpty ? chosen : Array(field.options.prefix(1))
                if !field.name.isEmpty { pairs += sent.map { (field.name, $0.value) } }
            case .other:
                if field.isRequired { return .unsupported }
            case .hidden, .text, .password, .textArea:
                if field.value.isEmpty, field.kind == .password || field.isRequired { unknown.append(field.name) }
                if !field.name.isEmpty { pairs.append((field.name, field.value)) }
            }
        }
        return unknown.isEmpty ? .filled(pairs, typed: hasTyped) : .unknown(unknown)
    }

    private func typed(_ field: HTMLField, isUserField: Bool) -> String? {
        guard !field.isReadOnly, field.isVisible else { return nil }
        switch knowledge {
        case .values(let values): return values[field.name]
        case .login(let user, let password):
            if field.kind == .password { return password }
            return isUserField ? user : nil
        }
    }

    private func clicked(_ field: HTMLField) -> [(name: String, value: String)] {
        let prefix = field.name.isEmpty ? "" : field.name + "."
        return [(prefix + "x", "0"), (prefix + "y", "0")]
    }
}
