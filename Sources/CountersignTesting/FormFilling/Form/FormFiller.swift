/// Puts values into forms.
struct FormFiller {
    /// A form, filled in as far as it goes.
    struct Filling {
        /// What is sent, in the order of the page.
        var pairs: [(name: String, value: String)] = []
        /// The button that submits.
        var submit: HTMLField?
        /// The fields that must have a value and have none.
        var missing: [String] = []
        /// Whether a value that was given to the presenter went in.
        var isAnswer = false
        /// Whether it was the one by the field's kind.
        var usesUser = false
        var usesPassword = false
    }

    let values: [String: String]
    private(set) var user: String?
    private(set) var password: String?
    /// Every value that was ever to be filled in.
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
        // A form that only asks for text and is sent by an address is a search.
        let user = form.asksForPassword || form.method == "post" ? user : nil
        for (index, field) in form.fields.enumerated() {
            switch field.kind {
            case .hidden: filling.send(field.name, field.name.lowercased() == "_charset_" ? "UTF-8" : field.value)
            case .text, .password, .textArea: fillText(field, user: user, &filling)
            case .checkbox, .radio: fillChoice(field, of: form, &filling)
            case .select(let isMultiple): fillSelect(field, isMultiple: isMultiple, &filling)
            case .submit(let isImage):
                guard index == submit else { continue }
                if isImage {
                    let prefix = field.name.isEmpty ? "" : field.name + "."
                    filling.pairs += [(prefix + "x", "0"), (prefix + "y", "0")]
                } else {
                    filling.send(field.name, field.value)
                }
            case .other: if field.isRequired { filling.lack(field.name) }
            }
        }
        return filling
    }

    /// Marks the values that go into one form only as used.
    mutating func forget(_ filling: Filling) {
        if filling.usesUser { user = nil }
        if filling.usesPassword { password = nil }
    }

    /// Whether a text holds one of the values.
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
            if field.value.isEmpty, field.isRequired || field.kind == .password { filling.lack(field.name) }
        }
    }

    private func fillChoice(_ field: HTMLField, of form: HTMLForm, _ filling: inout Filling) {
        if let value = values[field.name] {
            filling.isAnswer = true
            if value == field.value { filling.send(field.name, value) }
            let isKnown = form.fields.contains { $0.name == field.name && $0.value == value }
            if field.kind == .radio, !isKnown { filling.lack(field.name) }
        } else if field.isChecked {
            filling.send(field.name, field.value)
        } else if field.isRequired, !form.fields.contains(where: { $0.name == field.name && $0.isChecked }) {
            filling.lack(field.name)
        }
    }

    private func fillSelect(_ field: HTMLField, isMultiple: Bool, _ filling: inout Filling) {
        if let value = values[field.name] {
            guard
                let option = field.options.first(where: { $0.value == value }) ?? field.options.first(where: { $0.label == value })
            else {
                filling.isAnswer = true
                return filling.lack(field.name)
            }
            return filling.answer(field.name, option.value)
        }
        let selected = field.options.filter(\.isSelected)
        // Of one choice, the last mark counts, and the first option without a mark.
        let chosen = isMultiple ? selected : Array((selected.last ?? field.options.first).map { [$0] } ?? [])
        for option in chosen { filling.send(field.name, option.value) }
    }

    /// The button that a value names, or the first, as with the enter key.
    private func chooseSubmit(of form: HTMLForm, _ filling: inout Filling) -> Int? {
        if let chosen = form.fields.firstIndex(where: { $0.isSubmit && !$0.name.isEmpty && values[$0.name] == $0.value }) {
            filling.isAnswer = true
            return chosen
        }
        return form.fields.firstIndex(where: \.isSubmit)
    }
}

extension FormFiller.Filling {
    /// A field without a name is not sent.
    fileprivate mutating func send(_ name: String, _ value: String) {
        if !name.isEmpty { pairs.append((name, value)) }
    }

    fileprivate mutating func lack(_ name: String) {
        if !missing.contains(name) { missing.append(name) }
    }

    fileprivate mutating func answer(_ name: String, _ value: String) {
        isAnswer = true
        send(name, value)
    }
}
