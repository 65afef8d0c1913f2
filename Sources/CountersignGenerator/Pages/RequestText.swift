import CountersignSpec

/// The lines of a code block with a request that a method sends itself: as it is on the wire, but with references instead of
/// values.
struct RequestText {
    private let call: ResolvedProgram.Call
    private let slots: [ResolvedProgram.Slot]
    /// The parameters of a page that are derived from a code verifier (RFC 7636, section 4.3).
    private var proof: [String] = []

    /// Creates the request of a step; `nil` if the spec does not define one for it.
    init?(_ step: ResolvedProgram.Step, slots: [ResolvedProgram.Slot]) {
        self.slots = slots
        switch step.action {
        case .http(let call): self.call = call
        case .token(let token): call = token.request
        // A page without parameters is completely described in the words of the step.
        case .present(let page) where !page.query.isEmpty || !page.form.isEmpty:
            call = page.request
            if let verifier = page.verifier {
                proof = [
                    "code_challenge={SHA-256 of \(verifier.text(slots).filter { $0 != "{" && $0 != "}" })}",
                    "code_challenge_method=S256",
                ]
            }
        case .prompt, .present, .document, .verify, .compute, .ask, .repeat: return nil
        }
    }

    /// The number of columns of a code block that a page shows without scrolling.
    static let width = 80
    /// The number of columns of a request, which can be in a nested list.
    private static let innerWidth = 74

    var lines: [String] {
        var lines = ["\(call.method.rawValue) \(call.url.text(slots))"]
        let isForm = if case .form? = call.body { true } else { false }
        // One query item per line, like the fields of a form.
        for (index, item) in (call.query.map { text($0, "=") } + (isForm ? [] : proof)).enumerated() {
            lines.append("    \(index == 0 ? "?" : "&")\(item)")
        }
        lines += call.headers.map { text($0, ": ") }
        if call.client?.secret != nil || call.client?.key != nil {
            lines.append("Authorization: … or fields of the form (RFC 6749, section 2.3)")
        }
        if call.login != nil { lines.append("Authorization: Basic …") }
        if call.signature != nil { lines.append("Authorization: AWS4-HMAC-SHA256 …") }
        if call.proof != nil { lines.append("DPoP: …") }
        switch call.body {
        case .form(let members):
            lines += ["Content-Type: application/x-www-form-urlencoded", ""]
            let fields = members.map { text($0, "=") } + proof
            lines += fields.enumerated().map { ($0 == 0 ? "" : "&") + $1 }
        case .json(let json): lines += ["Content-Type: application/json", ""] + Self.lines(of: json, slots)
        case .xml(let template):
            lines += ["Content-Type: text/xml", ""]
            lines += template.text(slots).split(whereSeparator: \.isNewline).map(String.init)
        case .data(let slot, let type): lines += ["Content-Type: \(type)", "", "{\(slots[slot].name.value)}"]
        case nil: break
        }
        return lines.flatMap { Self.folded($0, to: Self.innerWidth) }
    }

    private func text(_ member: ResolvedProgram.Member, _ separator: String) -> String {
        "\(member.name.text(slots))\(separator)\(member.value.text(slots))"
    }

    /// Returns the parts of a line that is too long, broken after a space, a comma, a semicolon or an ampersand if there is one.
    static func folded(_ line: String, to width: Int = Self.width) -> [String] {
        var lines: [String] = []
        var rest = Substring(line)
        while rest.count > width {
            let limit = rest.index(rest.startIndex, offsetBy: width)
            let head = rest[..<limit]
            let indentation = rest.prefix { $0 == " " }.endIndex
            let end =
                head[indentation...].lastIndex { " ,;&".contains($0) }.map { head.index(after: $0) } ?? limit
            lines.append(String(rest[..<end]).withoutSpacesAtEnd)
            rest = "    " + rest[end...].drop { $0 == " " }
        }
        return lines + [String(rest)]
    }

    /// Returns JSON with one member per line.
    static func lines(of json: ResolvedProgram.JSON, _ slots: [ResolvedProgram.Slot]) -> [String] {
        switch json {
        case .text(let template): ["\"\(template.text(slots).replacing("\"", with: "\\\""))\""]
        case .value(let slot): ["{\(slots[slot].name.value)}"]
        case .number(let text): [text]
        case .flag(let flag): ["\(flag)"]
        case .null: ["null"]
        case .list(let items):
            items.isEmpty ? ["[]"] : ["["] + joined(items.map { lines(of: $0, slots) }) + ["]"]
        case .object(let members):
            members.isEmpty
                ? ["{}"]
                : ["{"]
                    + joined(
                        members.map { member in
                            let value = lines(of: member.value, slots)
                            return ["\"\(member.name.text(slots))\": \(value[0])"] + value.dropFirst()
                        }) + ["}"]
        }
    }

    /// Joins the lines of members, indented and separated by commas.
    private static func joined(_ members: [[String]]) -> [String] {
        members.enumerated().flatMap { index, lines in
            lines.enumerated().map { number, line in
                "  \(line)\(number == lines.count - 1 && index < members.count - 1 ? "," : "")"
            }
        }
    }
}

extension String {
    /// The text without spaces at its end.
    var withoutSpacesAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
