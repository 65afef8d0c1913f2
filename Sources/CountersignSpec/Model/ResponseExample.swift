/// An example of a response in a spec, as it is on the wire.
package struct ResponseExample: Sendable {
    /// The whole text, without white space at its end.
    package let text: Located<String>
    package let status: Int
    /// The header fields, in their order.
    package let fields: [(name: String, value: String)]
    /// The text after the empty line; empty for none.
    package let body: String

    /// Reads a status line, header fields, an empty line and a body. A line that begins with white space continues the field
    /// before it.
    ///
    /// - Returns: `nil` for any other text.
    init?(_ text: Located<String>) {
        let lines = text.value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let head = lines.prefix { !$0.isEmpty }
        guard let first = head.first, let status = Self.status(of: first) else { return nil }
        var fields: [(name: String, value: String)] = []
        for line in head.dropFirst() {
            if line.first == " " || line.first == "\t", let last = fields.popLast() {
                fields.append((last.name, "\(last.value) \(Self.trimmed(line))"))
                continue
            }
            guard let colon = line.firstIndex(of: ":"), TextForm.token.accepts(String(line[..<colon])) else { return nil }
            fields.append((String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
        }
        self.status = status
        self.fields = fields
        body = lines.dropFirst(head.count + 1).joined(separator: "\n")
        var whole = text.value[...]
        while whole.last?.isWhitespace == true { whole.removeLast() }
        self.text = Located(String(whole), at: text.location)
    }

    /// The status of `HTTP/1.1 401 Unauthorized`.
    private static func status(of line: Substring) -> Int? {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let status = Int(parts[1]), (100...599).contains(status) else {
            return nil
        }
        return status
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
