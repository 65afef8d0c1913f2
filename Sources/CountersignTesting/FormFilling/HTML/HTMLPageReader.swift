import Countersign

/// Builds an `HTMLPage` from tokens.
///
/// It builds no tree: a field belongs to the open form, or to the form that its `form` attribute names, as in a browser if the
/// page's elements are properly nested.
struct HTMLPageReader {
    private enum Owner {
        case open(Int)
        case named(String)
    }

    private var page = HTMLPage()
    private var openForm: Int?
    private var formsByIdentifier: [String: Int] = [:]
    private var fields: [(owner: Owner, field: HTMLField)] = []
    /// Whether each open `fieldset` is disabled.
    private var fieldsets: [Bool] = []
    private var disabledFieldsets = 0
    /// The number of open `template` elements, whose content is not part of the page.
    private var openTemplates = 0

    /// The kind of element whose text is being collected.
    private enum Collected { case title, textArea, option }
    private var collected: Collected?
    private var text = ""
    private var hasTitle = false
    private var hasOpenSelect = false
    private var openSelectIsLost = false

    mutating func read(_ token: HTMLToken) {
        switch token {
        case .startTag(let tag) where tag.name == "template": openTemplates += 1
        case .endTag("template"): openTemplates = max(0, openTemplates - 1)
        case _ where openTemplates > 0: break
        case .startTag(let tag): open(tag)
        case .endTag(let name): close(name)
        case .text(let text): if collected != nil { self.text += text }
        }
    }

    mutating func finish() -> HTMLPage {
        endText()
        for (owner, field) in fields {
            switch owner {
            case .open(let index): page.forms[index].fields.append(field)
            case .named(let identifier): if let index = formsByIdentifier[identifier] { page.forms[index].fields.append(field) }
            }
        }
        return page
    }

    // MARK: Tags

    private mutating func open(_ tag: HTMLTag) {
        switch tag.name {
        case "title" where !hasTitle:
            hasTitle = true
            begin(.title)
        case "base": page.base = page.base ?? tag["href"]
        case "meta": readMeta(tag)
        case "script": page.hasScript = true
        case "form": openForm(tag)
        case "fieldset":
            fieldsets.append(tag.has("disabled"))
            disabledFieldsets += tag.has("disabled") ? 1 : 0
        case "input": addInput(tag)
        case "button": addButton(tag)
        case "textarea":
            endSelect()
            if add(HTMLField(kind: .textArea, name: tag["name"] ?? ""), tag) { begin(.textArea) }
        case "select":
            endSelect()
            hasOpenSelect = true
            openSelectIsLost = !add(HTMLField(kind: .select(isMultiple: tag.has("multiple")), name: tag["name"] ?? ""), tag)
        case "option": addOption(tag)
        default: break
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "title", "textarea", "option": endText()
        case "select": endSelect()
        case "form":
            endSelect()
            openForm = nil
        case "fieldset":
            if let wasDisabled = fieldsets.popLast(), wasDisabled { disabledFieldsets -= 1 }
        default: break
        }
    }

    private mutating func readMeta(_ tag: HTMLTag) {
        page.charset = page.charset ?? tag["charset"]
        switch tag["http-equiv"]?.lowercased() {
        case "refresh": page.refresh = page.refresh ?? tag["content"].flatMap(HTMLRefresh.target)
        case "content-type": page.charset = page.charset ?? tag["content"].flatMap { MediaType($0)?.charset }
        default: break
        }
    }

    private mutating func openForm(_ tag: HTMLTag) {
        // Forms do not nest: a browser ignores the start tag of a form within another.
        guard openForm == nil else { return }
        endSelect()
        openForm = page.forms.count
        if let identifier = tag["id"], formsByIdentifier[identifier] == nil { formsByIdentifier[identifier] = page.forms.count }
        page.forms.append(
            HTMLForm(
                action: tag["action"], method: tag["method"]?.lowercased() ?? "get",
                encoding: tag["enctype"]?.lowercased() ?? HTMLForm.urlEncoded, acceptedCharsets: tag["accept-charset"]))
    }

    // MARK: Fields

    private mutating func addInput(_ tag: HTMLTag) {
        endSelect()
        let kind: HTMLField.Kind
        switch tag["type"]?.lowercased() ?? "text" {
        case "hidden": kind = .hidden
        case "password": kind = .password
        case "checkbox": kind = .checkbox
        case "radio": kind = .radio
        case "submit": kind = .submit(isImage: false)
        case "image": kind = .submit(isImage: true)
        case "file": kind = .other
        case "button", "reset": return
        case "search", "url", "number", "range", "color", "date", "time", "month", "week", "datetime-local":
            kind = .text(isUserLike: false)
        // Text, e-mail, telephone, and unknown types, which browsers treat as text.
        default:
            // A field for a one-time passcode (HTML, section 4.10.18.7.1) does not ask for a user name.
            let words = (tag["autocomplete"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            kind = .text(isUserLike: !words.contains("one-time-code"))
        }
        var field = HTMLField(kind: kind, name: tag["name"] ?? "", value: tag["value"] ?? "")
        if kind == .checkbox || kind == .radio {
            field.value = tag["value"] ?? "on"
            field.isChecked = tag.has("checked")
        }
        addSubmitting(field, tag)
    }

    private mutating func addButton(_ tag: HTMLTag) {
        let type = tag["type"]?.lowercased()
        guard type != "button", type != "reset" else { return }
        addSubmitting(HTMLField(kind: .submit(isImage: false), name: tag["name"] ?? "", value: tag["value"] ?? ""), tag)
    }

    private mutating func addSubmitting(_ field: HTMLField, _ tag: HTMLTag) {
        var field = field
        if field.isSubmit {
            field.action = tag["formaction"]
            field.method = tag["formmethod"]?.lowercased()
            field.encoding = tag["formenctype"]?.lowercased()
        }
        add(field, tag)
    }

    /// - Returns: Whether the field is part of a form.
    @discardableResult
    private mutating func add(_ field: HTMLField, _ tag: HTMLTag) -> Bool {
        guard !tag.has("disabled"), disabledFieldsets == 0 else { return false }
        var field = field
        field.isRequired = tag.has("required")
        field.isReadOnly = tag.has("readonly")
        if let identifier = tag["form"] {
            fields.append((.named(identifier), field))
        } else if let openForm {
            fields.append((.open(openForm), field))
        } else {
            return false
        }
        return true
    }

    private mutating func addOption(_ tag: HTMLTag) {
        endText()
        guard hasOpenSelect, !openSelectIsLost, !tag.has("disabled"), let last = fields.indices.last else { return }
        // Without a `value` attribute, the value is the option's text, which is set at the end of the option.
        fields[last].field.options.append(
            HTMLField.Option(value: tag["value"] ?? "", label: "", isSelected: tag.has("selected")))
        optionHasValue = tag.has("value")
        begin(.option)
    }

    private var optionHasValue = false

    // MARK: Text

    private mutating func begin(_ target: Collected) {
        endText()
        collected = target
    }

    private mutating func endText() {
        let text = self.text
        self.text = ""
        defer { collected = nil }
        switch collected {
        case .title: page.title = text.collapsed
        case .textArea:
            guard let last = fields.indices.last else { return }
            // HTML ignores a line break directly after the start tag.
            fields[last].field.value = text.hasPrefix("\n") || text.hasPrefix("\r\n") ? String(text.dropFirst()) : text
        case .option:
            guard let last = fields.indices.last, let option = fields[last].field.options.indices.last else { return }
            fields[last].field.options[option].label = text.collapsed
            if !optionHasValue { fields[last].field.options[option].value = text.collapsed }
        case nil: break
        }
    }

    private mutating func endSelect() {
        if collected == .option { endText() }
        hasOpenSelect = false
    }
}

extension HTMLForm {
    /// The default encoding of forms.
    static let urlEncoded = "application/x-www-form-urlencoded"
}

extension String {
    /// The text without leading and trailing white space, and with each other run of white space replaced by one space.
    fileprivate var collapsed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
