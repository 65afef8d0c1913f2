@testable import CountersignSpec

extension ResolvedLandscape {
    /// Texts that try to break out of the place where they are inserted. A reader rejects most of them.
    static var nastyTexts: ResolvedLandscape {
        get throws {
            var landscape = try minimal("Nasty")
            landscape.documentation = Documentation(summary: nasty, discussion: nasty)
            landscape.loggingPrefix = nasty
            landscape.settings?.documentation = Documentation(summary: nasty)
            landscape.settings?.fields[0].documentation = Documentation(summary: nasty, discussion: nasty)
            landscape.method.program.name.location = SourceLocation(
                file: "Specs/Nasty\nlet x = 1/`Nasty`.yaml", line: 2, column: 9)
            try landscape.method.makeNasty()
            return landscape
        }
    }
}

/// Text that ends comments, literals, lines and templates, and that changes the direction of text.
private let nasty = """
    */ /* \\(run()) "quoted" \\" \"\"\" #" \\#(x)
    ``` {{ it.name }} {% for %} \u{2028}public let a = 1\u{2029}\r\nlet b\u{0}\u{7}\u{85}\u{B}x\u{FEFF}\u{202E}drow\u{2066} \u{301}e\u{301} 👩‍👩‍👧 ü
    """

extension ResolvedSurfaceMethod {
    fileprivate mutating func makeNasty() throws {
        let place = program.name.location
        mock.sessionCookie = nasty
        parameters?.documentation = Documentation(summary: nasty)
        parameters?.fields = [
            ResolvedField(
                name: Located("loginURL", at: place), type: .url,
                documentation: Documentation(summary: nasty, discussion: nasty), isOptional: false, defaultText: nil,
                example: Located("https://x.example/%22?a=\"", at: place)),
            ResolvedField(
                name: Located("text", at: place), type: .string, documentation: Documentation(summary: nasty), isOptional: false,
                defaultText: Located(nasty, at: place), example: nil),
            ResolvedField(
                name: Located("secret", at: place), type: .secret, documentation: Documentation(summary: nasty),
                isOptional: true, defaultText: nil, example: nil),
        ]
        parameters?.fromSettings = [
            (field: Located("loginURL", at: place), template: Self.template("/\"\\(x)?\"=\\(y)\"", at: place)),
            (field: Located("text", at: place), template: Self.template(nasty, at: place)),
        ]
        parameters?.configuration = [(field: Located("text", at: place), keys: [nasty, ""])]
        program.makeNasty(at: place)
    }

    /// Returns a template of a setting followed by a text.
    private static func template(_ text: String, at place: SourceLocation) -> ResolvedTemplate {
        ResolvedTemplate(text: nasty, location: place, pieces: [.settings("serverURL", .url), .text(text)])
    }
}

extension ResolvedProgram {
    fileprivate mutating func makeNasty(at place: SourceLocation) {
        documentation = Documentation(summary: nasty, discussion: "\n\n  \(nasty)\n\n- Remark: forged\n")
        slots.append(Slot(name: Located(nasty, at: place), source: .step, isSecret: false))
        let value = Template(pieces: [.text(nasty), .slot(0), .text("\u{301}\"")])
        challenges[0].name.value = nasty
        challenges[0].headers = [Condition(name: value, match: .equals(value))]
        challenges[0].schemes = [
            Scheme(field: .proxyAuthenticate, name: nasty, parameters: [Condition(name: value, match: .contains(value))])
        ]
        challenges[0].captures = [Capture(slot: 1, source: .header(nasty), fallback: nasty, isOptional: false)]
        let step = Step(
            conditions: [],
            action: .http(
                Call(
                    method: .post, url: value, query: [Member(name: value, value: value)],
                    headers: [Member(name: value, value: value)],
                    body: .json(
                        .object([.init(name: Template(pieces: [.text(nasty)]), value: .list([.text(value), .number("1")]))])),
                    login: nil, client: nil, answers: [])))
        acquire.insert(step, at: 0)
        errors[0].documentation = Documentation(summary: nasty, discussion: nasty)
        errors[0].cases[0] = ResolvedErrorCase(
            name: errors[0].cases[0].name, documentation: Documentation(summary: nasty), reason: nasty, recovery: nasty,
            since: nasty, carries: [(label: Located("error", at: place), type: .error)])
    }
}
