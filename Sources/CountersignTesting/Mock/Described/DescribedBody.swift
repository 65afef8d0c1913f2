import Countersign

/// The body of a response that a pattern describes, in the format that its values need.
struct DescribedBody {
    private var json: JSONTree?
    private var choices: [DescribedChoice] = []
    /// Whether the body is XML even without a value.
    var isXML = false
    var xml: [String: String] = [:]
    var inputs: [String: String] = [:]
    var text: String?

    /// Adds a value at a JSON pointer (RFC 6901), in which `*` stands for an item of a list.
    mutating func put(_ value: JSONTree, at pointer: String) {
        json = (json ?? .object([:])).with(value, at: pointer)
    }

    /// Adds the value of an item of a list that meets conditions, after items with another value that do not.
    mutating func choose(_ value: JSONTree, or decoy: JSONTree, at pointer: String, where conditions: [DescribedChoice.Condition]) {
        let index = choices.firstIndex { $0.conditions == conditions } ?? choices.endIndex
        if index == choices.endIndex { choices.append(DescribedChoice(conditions: conditions)) }
        choices[index].values.append((pointer, value, decoy))
    }

    /// The media type and the text; `nil` for an empty body.
    var encoded: (type: String, text: String)? {
        let json = choices.reduce(self.json) { JSONTree.joined($0 ?? .object([:]), $1.tree, isAppended: true) }
        if let json { return ("application/json", json.json) }
        if isXML, xml.isEmpty { return ("application/xml", "<described/>") }
        if !xml.isEmpty {
            var root = Element()
            for (path, value) in xml.sorted(by: { $0.key < $1.key }) {
                root.put(value, at: path.split(separator: "/").map(String.init)[...])
            }
            return ("application/xml", root.children.map { $0.value.xml(named: $0.key) }.joined())
        }
        if !inputs.isEmpty {
            let fields = inputs.sorted { $0.key < $1.key }.map { name, value in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value.escapedForMarkup)\">"
            }
            return ("text/html; charset=utf-8", "<!doctype html><form method=\"post\">\(fields.joined())</form>\(text ?? "")")
        }
        return text.map { ("text/plain; charset=utf-8", $0) }
    }

    /// An element of an XML body.
    private struct Element {
        var attributes: [String: String] = [:]
        var children: [String: Element] = [:]
        var text = ""

        mutating func put(_ value: String, at path: ArraySlice<String>) {
            guard let name = path.first else { return text = value }
            if name.hasPrefix("@") {
                attributes[String(name.dropFirst())] = value
            } else {
                children[name, default: Element()].put(value, at: path.dropFirst())
            }
        }

        func xml(named name: String) -> String {
            let attributes = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value.escapedForMarkup)\"" }.joined()
            let content = children.sorted { $0.key < $1.key }.map { $0.value.xml(named: $0.key) }.joined()
            return "<\(name)\(attributes)>\(text.escapedForMarkup)\(content)</\(name)>"
        }
    }
}
