/// A form of a page.
struct HTMLForm: Hashable {
    /// The `action` attribute as written; `nil` if the form has none and is submitted to its page.
    var action: String?
    /// The method in lower case: `get`, `post` or `dialog`.
    var method: String
    /// The encoding in lower case.
    var encoding: String
    var acceptedCharsets: String?
    /// The enabled fields in the order of the page.
    var fields: [HTMLField] = []

    /// Whether the form has visible fields other than buttons.
    var isVisible: Bool { fields.contains { $0.isVisible } }
    /// The names, without repetitions, of the fields that require a user's decision: the visible ones, or the submit buttons if
    /// there are only buttons and they differ in what they send.
    var questions: [String] {
        let buttons = Set(fields.filter(\.isSubmit).map { $0.name.isEmpty ? $0.withoutValue : $0 })
        let asked = isVisible ? fields.filter(\.isVisible) : buttons.count > 1 ? fields.filter(\.isSubmit) : []
        return asked.map(\.name).withoutRepetitions
    }
    /// Whether the form asks for a password.
    var asksForPassword: Bool { fields.contains { $0.kind == .password } }
}

/// A field of a form.
struct HTMLField: Hashable {
    /// The kind of field.
    enum Kind: Hashable {
        case hidden
        /// One line of text. `isUserLike` is whether it may ask for a user name.
        case text(isUserLike: Bool)
        case password
        case textArea
        case checkbox
        case radio
        case select(isMultiple: Bool)
        /// A button that submits the form. An image button also sends the coordinates of the click.
        case submit(isImage: Bool)
        /// A field whose value is not text, such as a file.
        case other
    }

    /// An option of a `select`.
    struct Option: Hashable {
        var value: String
        var label: String
        var isSelected: Bool
    }

    var kind: Kind
    /// The name; empty for a field that is not sent.
    var name: String
    var value = ""
    var isChecked = false
    var isRequired = false
    var isReadOnly = false
    var options: [Option] = []
    /// The attributes of a submit button that override those of the form.
    var action: String?
    var method: String?
    var encoding: String?

    var isVisible: Bool {
        switch kind {
        case .hidden, .submit: false
        default: true
        }
    }

    /// The field without its value, for comparison: a field without a name is never sent, so its value makes no difference.
    fileprivate var withoutValue: HTMLField {
        var field = self
        field.value = ""
        return field
    }

    var isSubmit: Bool {
        if case .submit = kind { return true }
        return false
    }
}
