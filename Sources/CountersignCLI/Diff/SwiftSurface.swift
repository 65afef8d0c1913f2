// Reads the public declarations of generated files. The generator writes one declaration per statement and four spaces per level,
// so that lines and their indentation are enough.

/// The public declarations of the generated files of a landscape.
struct SwiftSurface {
    /// The declarations in the order of the files.
    let declarations: [SwiftDeclaration]

    /// - Parameter texts: The texts of the files.
    init(_ texts: [String]) {
        var reader = Reader()
        for text in texts { reader.read(text) }
        let hidden = reader.hidden
        declarations = reader.declarations.filter { !($0.kind == .conformance && hidden.contains($0.context)) }
    }
}

extension SwiftSurface {
    private struct Reader {
        /// A type or an extension that contains the current line.
        private struct Context {
            let level: Int
            let name: String
            let keyword: String
            let isPublic: Bool
            let isHidden: Bool
        }

        private(set) var declarations: [SwiftDeclaration] = []
        /// The types that are not public.
        private(set) var hidden: Set<String> = []
        private var contexts: [Context] = []

        mutating func read(_ text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            contexts = []
            // Attributes on a line of their own.
            var attributes = ""
            var index = 0
            while index < lines.count {
                let code = lines[index].drop { $0 == " " }
                let level = (lines[index].utf8.count - code.utf8.count) / 4
                index += 1
                guard let first = code.first, !code.hasPrefix("//"), first != "#" else { continue }
                contexts.removeAll { $0.level >= level }
                guard level == (contexts.last?.level ?? -1) + 1, first.isLetter || first == "@" else { continue }
                var statement = attributes + code
                while !SwiftHead.head(of: statement).isComplete, index < lines.count {
                    statement += " " + lines[index].drop { $0 == " " }
                    index += 1
                }
                statement = statement.replacing("( ", with: "(").replacing(" )", with: ")")
                let declaration = SwiftHead.head(of: statement, keepingValue: statement.contains("typealias "))
                guard let head = SwiftHead(declaration.text) else {
                    attributes = first == "@" ? statement + " " : ""
                    continue
                }
                attributes = ""
                add(head, at: level)
            }
        }

        private mutating func add(_ head: SwiftHead, at level: Int) {
            let context = contexts.last
            let isMarked = head.modifiers.contains("public") || head.modifiers.contains("open")
            let isSPI = context?.isHidden == true || head.attributes.contains { $0.hasPrefix("@_spi") }
            switch head.keyword {
            case "import":
                // Several files re-export one module.
                guard head.attributes.contains("@_exported"), !declarations.contains(where: { $0.title == "import \(head.name)" })
                else { return }
                append(.module, head.name, "import \(head.name)")
            case "extension":
                let name = Self.name(ofExtended: head)
                contexts.append(Context(level: level, name: name, keyword: head.keyword, isPublic: true, isHidden: isSPI))
                if !isSPI { for type in head.inherited { append(.conformance, type, "\(name): \(type)", in: name) } }
            case "struct", "class", "enum", "protocol", "actor":
                let name = (context.map { $0.name + "." } ?? "") + head.name
                contexts.append(Context(level: level, name: name, keyword: head.keyword, isPublic: isMarked, isHidden: isSPI))
                guard isMarked, !isSPI else {
                    hidden.insert(name)
                    return
                }
                append(.type, head.name, head.textWithoutInherited, in: context?.name ?? "", isMarked: true)
                let isRequirement = head.keyword == "protocol"
                for type in head.inherited {
                    append(.conformance, type, "\(name): \(type)", in: name, isRequirement: isRequirement)
                }
            default:
                let isRequirement = context?.keyword == "protocol"
                let isCase = head.keyword == "case"
                guard !isSPI, isMarked || (isRequirement || isCase) && context?.isPublic == true, let kind = Self.kind(head.keyword)
                else { return }
                append(
                    kind, kind == .initialiser ? "init" : head.name, head.text, in: context?.name ?? "",
                    isRequirement: isRequirement, isMarked: isMarked)
            }
        }

        private mutating func append(
            _ kind: SwiftDeclaration.Kind, _ name: String, _ text: String, in context: String = "", isRequirement: Bool = false,
            isMarked: Bool = false
        ) {
            declarations.append(
                SwiftDeclaration(
                    context: context, kind: kind, name: name, text: text, isRequirement: isRequirement, isMarked: isMarked))
        }

        /// Returns the extended type, with the argument that a condition requires: `Observer<Parameters>`.
        private static func name(ofExtended head: SwiftHead) -> String {
            guard !head.condition.isEmpty else { return head.name }
            let sides = head.condition.split(separator: " == ")
            return sides.count == 2 ? "\(head.name)<\(sides[1])>" : "\(head.name) where \(head.condition)"
        }

        private static func kind(_ keyword: String) -> SwiftDeclaration.Kind? {
            switch keyword {
            case "func", "subscript": .function
            case "init": .initialiser
            case "var", "let": .property
            case "typealias", "associatedtype": .alias
            case "case": .enumerationCase
            default: nil
            }
        }
    }
}
