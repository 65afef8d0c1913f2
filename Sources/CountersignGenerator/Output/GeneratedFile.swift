/// A generated file.
package struct GeneratedFile: Sendable, Hashable {
    /// The name, such as `SAML.generated.swift`.
    package let name: String
    /// The whole text.
    package let text: String
    /// The sections of the text, each written by one template, in order.
    package let sections: [Section]

    /// A part of the text that one template wrote.
    package struct Section: Sendable, Hashable {
        /// The template's name.
        package let template: String
        /// The first line of the part, from 1.
        package let firstLine: Int

        package init(template: String, firstLine: Int) {
            self.template = template
            self.firstLine = firstLine
        }
    }

    package init(name: String, text: String, sections: [Section] = []) {
        self.name = name
        self.text = text
        self.sections = sections
    }

    /// The template that wrote a line; `nil` for a text that no template wrote.
    package func template(atLine line: Int) -> String? {
        sections.last { $0.firstLine <= line }?.template
    }
}
