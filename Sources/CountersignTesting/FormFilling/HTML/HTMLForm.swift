/// A form as its page has it.
struct HTMLForm: Hashable {
    /// As written, or `nil` if the form goes back to its page.
    var action: String?
    /// In lower case: `get`, `post` or `dialog`.
    var method: String
    /// In lower case.
    var encoding: String
    var acceptedCharsets: String?
    /// In the order of the page, without those that are disabled.
    var fields: [HTMLField] = []

    /// Whether a user would have something to fill in or to choose, apart from a button.
    var isVisible: Bool { fields.contains { $0.isVisible } }
    /// The names of all that a user would have to answer, each once. Where nothing is to be filled in, two buttons are a question
    /// too, unless it makes no difference which one is pressed.
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
    /// What a user can do with it.
    enum Kind: Hashable {
        case hidden
        /// One line of text; `isUserLike` for those that may ask for a user's name.
        case text(isUserLike: Bool)
        case password
        case textArea
        case checkbox
        case radio
        case select(isMultiple: Bool)
        /// A button that submits the form; an image sends where it was clicked.
        case submit(isImage: Bool)
        /// A field whose content no text can be, such as a file.
        case other
    }

    /// A choice of a `select`.
    struct Option: Hashable {
        var value: String
        var label: String
        var isSelected: Bool
    }

    var kind: Kind
    /// Empty for a field that is not sent.
    var name: String
    var value = ""
    var isChecked = false
    var isRequired = false
    var isReadOnly = false
    var options: [Option] = []
    /// What a submitting button says instead of its form.
    var action: String?
    var method: String?
    var encoding: String?

    var isVisible: Bool {
        switch kind {
        case .hidden, .submit: false
        default: true
        }
    }

    /// What is sent of a field without a name: nothing, whatever its value.
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
