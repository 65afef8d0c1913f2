import CountersignSpec

/// Converts names of a spec to names of Swift, and throws if that is impossible.
enum Planning {
    static func identifier(_ name: Located<String>) throws -> SwiftIdentifier {
        guard let identifier = SwiftIdentifier(name.value) else {
            throw GenerationProblem(
                at: name.location,
                "'\(name.value)' is not a valid Swift name; use ASCII letters, digits and underscores, beginning with a letter")
        }
        return identifier
    }

    static func typeName(_ name: String, at location: SourceLocation) throws -> SwiftTypeName {
        guard let typeName = SwiftTypeName(name) else {
            throw GenerationProblem(
                at: location,
                "'\(name)' is not a valid Swift type name; use ASCII letters, digits and underscores, beginning with a letter")
        }
        return typeName
    }

    /// Returns the remark in a declaration's documentation that names its source: folder and file, because absolute paths differ
    /// between machines.
    static func remark(_ location: SourceLocation) -> DocumentationText.Callout {
        .remark("Generated from `\(file(location))`, line \(location.line).")
    }

    /// Returns the file of a location with its folder.
    static func file(_ location: SourceLocation) -> String {
        location.file.split { $0 == "/" || $0 == "\\" }.suffix(2).joined(separator: "/")
    }
}
