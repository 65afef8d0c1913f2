import CountersignSpec

/// The JSON Schema of spec files, with which editors complete, explain and check what is typed.
///
/// It is created from the tables that the reader checks with, so it accepts every file that the reader accepts. Only the reader
/// checks rules that involve several places of a file, such as that a reference has a target or that a name is unique.
///
/// Each construct becomes a definition, and another one if it occurs in an override, where keys can be missing. The dialect is
/// draft 7, which YAML language servers support best.
package struct SpecSchema {
    private var definitions: [String: JSONValue] = [:]
    /// The constructs by the names of their definitions, to detect two constructs with the same name.
    private var constructs: [String: Construct] = [:]

    /// Returns the schema's text.
    ///
    /// - Throws: An error of the JSON encoder.
    package static func text() throws -> String {
        var schema = SpecSchema()
        let landscape = schema.reference(to: SpecLanguage.landscape, isPartial: false)
        let extending = schema.reference(to: SpecLanguage.landscape, isPartial: true)
        let method = schema.reference(to: SpecLanguage.method, isPartial: false)
        let root: JSONValue = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "Countersign spec",
            "description": "A landscape (`landscape.yaml`), or one of its methods.",
            "if": ["required": ["landscape"]],
            "then": ["if": ["required": ["extends"]], "then": extending, "else": landscape],
            "else": method,
            "definitions": .object(schema.definitions),
        ]
        return try root.text()
    }

    /// The keys of a landscape that it does not inherit.
    private static let ownKeys: Set = ["countersign", "landscape"]

    private mutating func reference(to construct: Construct, isPartial: Bool) -> JSONValue {
        let isPartial = isPartial || construct.isOverride
        let name = Self.definitionName(construct) + (isPartial && !construct.isOverride ? "-override" : "")
        if let namesake = constructs.updateValue(construct, forKey: name) {
            // The constructs are those of the language, not of a spec.
            precondition(namesake.keys.map(\.name) == construct.keys.map(\.name), "two constructs are called '\(construct.title)'")
        } else {
            definitions[name] = schema(of: construct, isPartial: isPartial)
        }
        return ["$ref": .string("#/definitions/\(name)")]
    }

    private mutating func schema(of construct: Construct, isPartial: Bool) -> JSONValue {
        var members: [String: JSONValue] = [
            "description": .string(construct.summary), "type": "object", "additionalProperties": false,
        ]
        var properties: [String: JSONValue] = [:]
        var dependencies: [String: JSONValue] = [:]
        for key in construct.keys {
            let isRemovable = isPartial && construct.canRemove(key.name)
            let shape: ValueShape = isRemovable ? .shorthand(.word([SpecLanguage.omitted]), or: key.shape) : key.shape
            // Draft 7 ignores the siblings of a `$ref`, so the reference is wrapped in `allOf`.
            properties[key.name] = [
                "description": .string(Self.hover(key)), "allOf": [schema(of: shape, isPartial: isPartial)],
            ]
            // A key of an override can depend on a key that is inherited.
            if !key.companions.isEmpty, !isPartial {
                dependencies[key.name] = ["anyOf": .array(key.companions.map(Self.requirement))]
            }
        }
        members["properties"] = .object(properties)
        if !dependencies.isEmpty { members["dependencies"] = .object(dependencies) }
        let required = construct.keys.filter { $0.isRequired && $0.exemptions.isEmpty }.map(\.name)
            .filter { !isPartial || construct.title == SpecLanguage.landscape.title && Self.ownKeys.contains($0) }
        if !required.isEmpty { members["required"] = .strings(required) }
        let exempt = isPartial ? [] : construct.keys.filter { $0.isRequired && !$0.exemptions.isEmpty }
        if !exempt.isEmpty { members["allOf"] = .array(exempt.map(Self.requirement)) }
        if !construct.alternatives.isEmpty {
            let combined = construct.combinable.map(Self.requirement)
            let requirements: [JSONValue] =
                construct.alternatives.filter { !construct.combinable.contains($0) }.map(Self.requirement)
                + (combined.isEmpty ? [] : [["anyOf": .array(combined)]])
            // An override can inherit the alternative instead of naming one.
            members["oneOf"] = .array(requirements + (isPartial ? [["not": ["anyOf": .array(requirements)]]] : []))
        }
        if !construct.exclusive.isEmpty { members["not"] = ["required": .strings(construct.exclusive)] }
        return .object(members)
    }

    private mutating func schema(of shape: ValueShape, isPartial: Bool) -> JSONValue {
        switch shape {
        case .version:
            return Self.version
        case .text(let form):
            return form.schema
        case .word(let words):
            return ["oneOf": .array(words.map(\.schema))]
        case .list(let item):
            // An override replaces a list as a whole, so its items are complete, unless it names single items.
            let whole: JSONValue = ["type": "array", "minItems": 1, "items": schema(of: item, isPartial: false)]
            guard isPartial else { return whole }
            let named =
                shape.hasNamedItems ? schema(of: .shorthand(.word([SpecLanguage.omitted]), or: item), isPartial: true) : false
            return [
                "anyOf": [
                    whole,
                    [
                        "type": "object", "additionalProperties": named,
                        "properties": [SpecLanguage.prepended: whole, SpecLanguage.appended: whole],
                    ],
                ]
            ]
        case .oneOrList(let item):
            return ["anyOf": [schema(of: item, isPartial: isPartial), schema(of: .list(of: item), isPartial: isPartial)]]
        case .json:
            return [:]
        case .construct(let construct):
            return reference(to: construct, isPartial: isPartial)
        case .named(let form, _, let value):
            // An override can remove inherited entries. As a text, the word is valid anyway.
            let changed: ValueShape =
                switch value {
                case .construct where isPartial, .word where isPartial: .shorthand(.word([SpecLanguage.omitted]), or: value)
                default: value
                }
            var members: [String: JSONValue] = [
                "type": "object", "additionalProperties": schema(of: changed, isPartial: isPartial),
            ]
            if let pattern = form.pattern { members["propertyNames"] = ["pattern": .string(pattern)] }
            if !isPartial { members["minProperties"] = 1 }
            return .object(members)
        case .shorthand(let short, let long):
            return ["anyOf": [schema(of: short, isPartial: isPartial), schema(of: long, isPartial: isPartial)]]
        }
    }

    /// The versions as strings, and as the numbers that YAML reads them as.
    private static let version: JSONValue = {
        let versions = SpecLanguage.Version.allCases.map(\.rawValue)
        return ["enum": .array(versions.map { .string($0) } + versions.compactMap(Int.init).map(JSONValue.integer))]
    }()

    private static func requirement(of key: String) -> JSONValue { ["required": [.string(key)]] }

    /// Returns the schema of a key that is required unless another key has a certain value.
    private static func requirement(of key: Construct.Key) -> JSONValue {
        let conditions = key.exemptions.map { exemption in
            let word: JSONValue = exemption.value == "true" ? ["enum": [true, "true"]] : ["enum": [.string(exemption.value)]]
            let value: JSONValue = ["anyOf": [word, ["type": "array", "contains": word]]]
            return exemption.path.reversed().reduce(value) { inner, name in
                ["type": "object", "required": [.string(name)], "properties": [name: inner]]
            }
        }
        return ["if": ["anyOf": .array(conditions)], "then": [:], "else": requirement(of: key.name)]
    }

    /// Returns the text that an editor shows for a key.
    private static func hover(_ key: Construct.Key) -> String {
        key.defaultText.map { "\(key.summary) Without it: \($0)." } ?? key.summary
    }

    private static func definitionName(_ construct: Construct) -> String {
        let words = construct.title.split(separator: " ")
        let isArticle = ["a", "an", "the"].contains(words.first)
        return words.dropFirst(isArticle ? 1 : 0).joined(separator: "-")
    }
}

extension ValueShape.Word {
    /// YAML reads the words `true` and `false` as Booleans, but the reader takes them as text, so the schema accepts both.
    fileprivate var schema: JSONValue {
        switch name {
        case "true": ["enum": [true, "true"], "description": .string(summary)]
        case "false": ["enum": [false, "false"], "description": .string(summary)]
        default: ["const": .string(name), "description": .string(summary)]
        }
    }
}

extension TextForm {
    /// The reader takes every scalar as text, but YAML may read it as a number or a Boolean, so the schema accepts those types,
    /// too.
    fileprivate var schema: JSONValue {
        switch self {
        case .status:
            ["anyOf": [["type": "integer", "minimum": 100, "maximum": 599], ["type": "string", "pattern": "^[1-5][0-9]{2}$"]]]
        case .count:
            ["anyOf": [["type": "integer", "minimum": 1, "maximum": 100], ["type": "string", "pattern": "^([1-9][0-9]?|100)$"]]]
        case .retries: ["anyOf": [["type": "integer", "minimum": 0, "maximum": 4], ["type": "string", "pattern": "^[0-4]$"]]]
        case .boolean: ["enum": [true, false, "true", "false"]]
        case .typeName, .memberName, .moduleName: ["type": "string", "pattern": .string(pattern ?? "")]
        default:
            // A pattern applies only to strings, so a number passes.
            pattern.map { ["type": ["string", "number", "boolean"], "pattern": .string($0)] }
                ?? ["type": ["string", "number", "boolean"]]
        }
    }

    /// The regular expression of the form; `nil` if it has none.
    fileprivate var pattern: String? {
        switch self {
        case .typeName: "^[A-Z][A-Za-z0-9_]*$"
        case .memberName: "^[a-z][A-Za-z0-9_]*$"
        case .moduleName: "^[A-Za-z_][A-Za-z0-9_]*$"
        case .loggingPrefix: "^[A-Za-z0-9_.-]+$"
        case .label: "^[A-Za-z0-9_-]+$"
        case .valueName: "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$"
        case .token: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
        case .fieldName: "^([A-Za-z0-9!#$%&'*+.^_`|~-]+|\\{[^{} ]+\\})$"
        case .requestLine: "^(GET|POST|PUT|DELETE) \\S"
        case .configurationKey, .formName: "^\\S+$"
        case .choice: "^[!-~]+$"
        case .schemeEnding: "^[.+-][a-z0-9.+-]+$"
        case .pointer: "^(/([^~]|~[01])*)?$"
        case .elementPath: "^/[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*(/@[A-Za-z0-9_.-]+)?$"
        case .path: "^/[^?#\\s]*$"
        case .duration: "^[0-9]+(ms|s|m|h)$"
        case .component: "^(@(method|target-uri|authority|scheme|request-target|path|query)|[a-z0-9!#$%&'*+.^_`|~-]+)$"
        case .prose, .stem, .fieldReference, .caseReference, .textTemplate, .status, .boolean, .count, .retries,
            .valueOfField, .anyText:
            nil
        }
    }
}
