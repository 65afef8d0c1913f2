/// A syntax error in a generated file, which is always a defect of the generator.
package struct ProofFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The generated file's name.
    package let file: String
    /// The template that wrote the line; `nil` if the file does not name it.
    package let template: String?
    /// From 1.
    package let line: Int
    /// From 1, in UTF-8 bytes.
    package let column: Int
    /// The parser's message.
    package let message: String
    /// The line as generated.
    package let source: String

    package init(file: String, template: String?, line: Int, column: Int, message: String, source: String) {
        self.file = file
        self.template = template
        self.line = line
        self.column = column
        self.message = message
        self.source = source
    }

    /// The message in the format of build tools, the line, and a caret below the error.
    package var description: String {
        let place = template.map { " (template '\($0)')" } ?? ""
        let before = String(decoding: source.utf8.prefix(column - 1), as: UTF8.self)
        let blank = String(before.map { $0 == "\t" ? "\t" : " " })
        return """
            \(file):\(line):\(column): error: generated code is not valid Swift: \(message)\(place)
            \(source)
            \(blank)^
            """
    }
}
