/// Fills in forms with the presenter's values.
struct FormFiller {
    /// The result of filling in a form, possibly incomplete.
    struct Filling {
        /// The name-value pairs to send, in the order of the page.
        var pairs: [(name: String, value: String)] = []
        /// The button that submits.
        var submit: HTMLField?
        /// The names of the fields that require a value and have none.
        var missing: [String] = []
        /// Whether a value of the presenter was filled in.
        var isAnswer = false
        /// Whether the user name or the password was filled in by the kind of field.
        var usesUser = false
        var usesPassword = false
    }

    /// The state of check boxes and radio buttons, by their common names.
    private struct Choices {
        /// The names whose known value is that of one of their fields.
        let known: Set<String>
        /// The names with a checked field.
        let checked: Set<String>

        init(of form: HTMLForm, values: [String: String]) {
            known = Set(form.fields.filter { values[$0.name] == $0.value }.map(\.name))
            checked = Set(form.fields.filter(\.isChecked).map(\.name))
        }
    }

    let values: [String: String]
    private(set) var user: String?
    private(set) var password: String?
    /// All values of the presenter, including those that were already used.
    private let secrets: [String]

    init(values: [String: String], user: String?, password: String?) {
        self.values = values
        self.user = user
        self.password = password
        secrets = values.values.filter { !$0.isEmpty } + [user, password].compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// Fills in a form.
    func fill(_ form: HTMLForm) -> Filling {
        var filling = Filling()
        let submit = chooseSubmit(of: form, &filling)
        filling.submit = submit.map { form.fields[$0] }
        // A GET form without a password field is probably a search form, so it does not receive the user name.
        let choices = Choices(of: form, values: values)
        let user = form.asksForPassword || form.method == "post" ? user : nil
        for (index, field) in form.fields.enumerated() {
            switch field.kind {
            case .hidden: filling.send(field.name, field.name.lowercased() == "_charset_" ? "UTF-8" : field.value)
            case .text, .password, .textArea: fillText(field, user: user, &filling)
            case .checkbox, .radio: fillChoice(field, choices, &filling)
            case .select(let isMultiple): fillSelect(field, isMultiple: isMultiple, &filling)
            case .submit(let isImage):
                guard index == submit else { continue }
                if isImage {
                    let prefix = field.name.isEmpty ? "" : field.name + "."
                    filling.pairs += [(prefix + "x", "0"), (prefix + "y", "0")]
                } else {
                    filling.send(field.name, field.value)
                }
            case .other: if field.isRequired { filling.missing.append(field.name) }
            }
        }
        filling.missing = filling.missing.withoutRepetitions
        return filling
    }

    /// Removes the user name and the password if they were used, since each is entered into one form only.
    mutating func forget(_ filling: Filling) {
        if filling.usesUser { user = nil }
        if filling.usesPassword { password = nil }
    }

    /// Whether a text contains one of the values.
    func mentionsValue(_ text: String) -> Bool {
        secrets.contains { text.contains($0) }
    }

    private func fillText(_ field: HTMLField, user: String?, _ filling: inout Filling) {
        guard !field.isReadOnly else { return filling.send(field.name, field.value) }
        if let value = values[field.name] {
            filling.answer(field.name, value)
        } else if field.kind == .text(isUserLike: true), let user, !filling.usesUser, !field.name.isEmpty {
            filling.usesUser = true
            filling.answer(field.name, user)
        } else if field.kind == .password, let password, !filling.usesPassword, !field.name.isEmpty {
            filling.usesPassword = true
            filling.answer(field.name, password)
        } else {
            filling.send(field.name, field.value)
            if field.value.isEmpty, field.isRequired || field.kind == .password { filling.missing.append(field.name) }
        }
    }

    private func fillChoice(_ field: HTMLField, _ choices: Choices, _ filling: inout Filling) {
        if let value = values[field.name] {
            filling.isAnswer = true
            if value == field.value { filling.send(field.name, value) }
            if field.kind == .radio, !choices.known.contains(field.name) { filling.missing.append(field.name) }
        } else if field.isChecked {
            filling.send(field.name, field.value)
        } else if field.isRequired, !choices.checked.contains(field.name) {
            filling.missing.append(field.name)
        }
    }

    private func fillSelect(_ field: HTMLField, isMultiple: Bool, _ filling: inout Filling) {
        if let value = values[field.name] {
            guard
                let option = field.options.first(where: { $0.value == value }) ?? field.options.first(where: { $0.label == value })
            else {
                filling.isAnswer = true
                return filling.missing.append(field.name)
            }
            return filling.answer(field.name, option.value)
        }
        let selected = field.options.filter(\.isSelected)
        // Without `multiple`, the last selected option counts, or the first option if none is selected.
        let chosen = isMultiple ? selected : Array((selected.last ?? field.options.first).map { [$0] } ?? [])
        for option in chosen { filling.send(field.name, option.value) }
    }

    /// Returns the index of the submit button that a value selects, or otherwise of the first one, which the return key
    /// activates.
    private func chooseSubmit(of form: HTMLForm, _ filling: inout Filling) -> Int? {
        if let chosen = form.fields.firstIndex(where: { $0.isSubmit && !$0.name.isEmpty && values[$0.name] == $0.value }) {
            filling.isAnswer = true
            return chosen
        }
        return form.fields.firstIndex(where: \.isSubmit)
    }
}

extension FormFiller.Filling {
    /// Adds a pair, unless the field has no name.
    fileprivate mutating func send(_ name: String, _ value: String) {
        if !name.isEmpty { pairs.append((name, value)) }
    }

    fileprivate mutating func answer(_ name: String, _ value: String) {
        isAnswer = true
        send(name, value)
    }
}
