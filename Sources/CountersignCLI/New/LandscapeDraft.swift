import CountersignGenerator
import CountersignSpec
import Foundation

/// The files of a new landscape: valid specs to adapt, and the target's one Swift file.
struct LandscapeDraft {
    /// `landscape.yaml`, the methods, and the Swift file.
    let files: [GeneratedFile]
    /// The products of this package on which the target depends.
    let products: [String]

    /// - Parameters:
    ///   - base: The landscape that is extended; `nil` for a landscape with a method of its own.
    ///   - login: The kind of that method.
    /// - Throws: ``CommandProblem``, if the name is not allowed or there is no such landscape.
    init(_ name: String, extending base: String?, login: LoginKind = .token) throws {
        try NewLandscapeName.check(name)
        let specs: [GeneratedFile]
        var inherited: [SpecFile] = []
        if let base {
            let overlay = try OverlayDraft(name, extending: base)
            specs = overlay.files
            inherited = ShippedLandscapes.specs(of: overlay.base)
            products = overlay.products
        } else {
            let method = name.hasSuffix("Login") ? name : name + "Login"
            specs = [
                GeneratedFile(name: "landscape.yaml", text: Self.landscape(name)),
                GeneratedFile(name: "\(method).yaml", text: login.spec(named: method)),
            ]
            products = ["Countersign"]
        }
        files = specs + [GeneratedFile(name: Self.swiftFile(of: name), text: Self.swift)]
        try Self.check(specs, inherited: inherited, name: name)
    }

    /// Returns the name of the Swift file. SwiftPM takes a target with a `main.swift` for a program, and a folder with a `Package.swift` for
    /// a package. It ignores case in the first, as some file systems do in both.
    private static func swiftFile(of name: String) -> String {
        ["main", "package"].contains(name.lowercased()) ? "\(name)Module.swift" : "\(name).swift"
    }

    /// SwiftPM compiles no target without a file of Swift.
    private static let swift = """
        // SwiftPM needs a Swift file in a target. The code of this module is generated from the specs in this folder.

        """

    private static func landscape(_ name: String) -> String {
        """
        # The name of the landscape and of its module, and a sentence for the
        # documentation. Each other YAML file in this folder is a method.
        # Completion in editors: countersign schema --help
        countersign: 2
        landscape: \(name)
        summary: Authenticated requests to \(name).

        """
    }

    /// Generates the code in memory. The drafts are valid, so that only the name can be the cause of a mistake: generated types may
    /// have it already.
    private static func check(_ specs: [GeneratedFile], inherited: [SpecFile], name: String) throws {
        let own = specs.map { SpecFile(path: $0.name, bytes: Array($0.text.utf8)) }
        let generation: Generation
        do {
            generation = try LandscapeGenerator().generate(SpecSources(own: own, inherited: inherited))
        } catch {
            throw CommandProblem("\(error)", exit: CommandExit.defect)
        }
        guard generation.files == nil, let first = generation.diagnostics.first(where: { $0.severity == .error }) else { return }
        throw NewLandscapeName.problem(name, first.message)
    }
}

/// The check of a new landscape's name.
enum NewLandscapeName {
    /// - Throws: ``CommandProblem``, with a name that is allowed.
    static func check(_ name: String) throws {
        if let reason = reason(against: name) { throw problem(name, reason) }
    }

    /// Returns the error for a name.
    static func problem(_ name: String, _ reason: String) -> CommandProblem {
        CommandProblem(
            "A landscape cannot be named '\(name)': \(reason).",
            remedy: suggestion(for: name).map { "Use another name, such as '\($0)'." }, exit: CommandExit.usage)
    }

    private static func reason(against name: String) -> String? {
        if let problem = LandscapeName.problem(with: name) {
            return name.allSatisfy(\.isASCII)
                ? problem : "it must be the name of a type in UpperCamelCase with ASCII letters, digits and '_' only"
        }
        if ShippedLandscapes.names.contains(name) {
            return "it is the name of a landscape that comes with Countersign; extend it with '--extends \(name)'"
        }
        // The names of targets are unique in all packages that are built together.
        return name.hasPrefix("Countersign") ? "the modules of Countersign have names that begin with 'Countersign'" : nil
    }

    /// Returns a similar name that is allowed; `nil` if there is none.
    private static func suggestion(for name: String) -> String? {
        // Letters of other scripts are transliterated, and a single one can become several: "ß" is "ss".
        let transform = StringTransform("Any-Latin; Latin-ASCII")
        let plain = name.applyingTransform(transform, reverse: false) ?? name
        let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        let camel = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined().drop { !$0.isLetter }
        let stem = camel.hasPrefix("Countersign") ? camel.dropFirst("Countersign".count) : camel
        let candidate: String = stem.prefix(1).uppercased() + stem.dropFirst()
        return [candidate, candidate + "API"].first { $0 != name && reason(against: $0) == nil }
    }
}
