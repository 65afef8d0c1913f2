import CountersignGenerator
import CountersignSpec
import TestTurns
import Testing

@testable import CountersignCLI

/// The public declarations of generated code.
@Suite(.computes) struct SwiftSurfaceTests {
    @Test(arguments: ShippedLandscapes.names)
    func `all public declarations of each shipped landscape are found`(name: String) throws {
        let own = ShippedLandscapes.specs(of: name)
        let base = ShippedLandscapes.base(of: own).map(ShippedLandscapes.specs) ?? []
        let files = try #require(try DiffBench.generation(own, extending: base).files)
        for file in files {
            // An independent count: lines with the keyword, without imports and extensions for the package's own modules.
            let text = file.text.replacing(/(?ms)^@_spi\(Generated\) [^\n]*extension [^\n]*\{\n.*?^\}\n/, with: "")
            let lines = text.matches(
                of: /(?m)^ *(?:@(?!_spi)[A-Za-z_]+(?:\([^)\n]*\))? |nonisolated )*(?:public|open) (?!import)/)
            let found = SwiftSurface([file.text]).declarations.filter { $0.isMarked }
            #expect(found.count == lines.count, "\(name)/\(file.name)")
        }
    }

    @Test func `declarations have their context, and bodies and hidden types are skipped`() {
        let surface = SwiftSurface([
            """
            @_exported @_spi(Generated) public import Countersign
            public import Foundation

            nonisolated public struct Login: Sendable, ReducedDescription {
                /// Not a public declaration.
                public var name: String?

                public init(
                    name: String? = nil,
                    text: String = "a, (b) {"
                ) {
                    self.name = name
                }
                var hidden = 1
            }

            nonisolated extension Login: Program {
                @_spi(Generated) public static var tools: Int { 1 }
                public static let program = MethodProgram(
                    name: "Login")
            }

            @_spi(Generated) nonisolated extension Login: Hashable {
                public var other: Int { 1 }
            }

            public protocol Prompting: Sendable {
                func ask(for prompt: String) async throws -> String?
            }

            nonisolated public enum LoginError: Error {
                case refused(detail: String)

                public var text: String {
                    switch self {
                    case .refused: "refused"
                    }
                }
            }

            struct Hidden {
                static let program = 1
            }
            extension Hidden: Sendable {}

            public typealias LoginObserver = Observer<Login>

            nonisolated extension Observer where Parameters == Login {
                public convenience init(login: Login) {}
            }
            """
        ])
        #expect(
            surface.declarations.map(\.title) == [
                "import Countersign", "Login", "Login: Sendable", "Login: ReducedDescription", "Login.name", "Login.init",
                "Login: Program", "Login.program", "Prompting", "Prompting: Sendable", "Prompting.ask", "LoginError",
                "LoginError: Error", "LoginError.refused", "LoginError.text", "LoginObserver", "Observer<Login>.init",
            ])
        let texts = surface.declarations.map(\.text)
        #expect(texts.contains(#"public init(name: String? = nil, text: String = "a, (b) {")"#))
        #expect(texts.contains("public static let program"))
        #expect(texts.contains("public typealias LoginObserver = Observer<Login>"))
    }

    /// Compares two versions of one type.
    private func changes(_ old: String, _ new: String) -> [String] {
        SwiftChanges.changes(from: SwiftSurface([old]), to: SwiftSurface([new])).sorted().map {
            "\($0.isBreaking ? "!" : "+") \($0.subject): \($0.text)"
        }
    }

    private func login(_ lines: String...) -> String {
        "public struct Login: Sendable {\n" + lines.map { "    \($0)\n" }.joined() + "}\n"
    }

    @Test(
        arguments: [
            ("public init(a: Int) {", "public init(a: Int, b: Int = 1) {", ["+ Login.init: parameter 'b: Int = 1' is added"]),
            ("public init(a: Int) {", "public init(a: Int, b: Int) {", ["! Login.init: parameter 'b: Int' is required"]),
            ("public init(a: Int, b: Int) {", "public init(a: Int) {", ["! Login.init: parameter 'b: Int' is removed"]),
            ("public init(a: Int) {", "public init(a: Int = 1) {", ["+ Login.init: parameter 'a: Int' is now 'a: Int = 1'"]),
            ("public init(a: Int = 1) {", "public init(a: Int) {", ["! Login.init: parameter 'a: Int = 1' is now 'a: Int'"]),
            ("public init(a: Int) {", "public init(a: String) {", ["! Login.init: parameter 'a: Int' is now 'a: String'"]),
            ("public init(a: Int, b: Int) {", "public init(b: Int, a: Int) {", ["! Login.init: the parameters have another order"]),
            (
                "public func run() {", "public func run() throws {",
                ["! Login.run: 'public func run()' is now 'public func run() throws'"]
            ),
            ("public var a: Int", "public var a: Int?", ["! Login.a: 'public var a: Int' is now 'public var a: Int?'"]),
        ])
    func `a change of a declaration is breaking unless all calls stay valid`(old: String, new: String, expected: [String]) {
        #expect(changes(login(old), login(new)) == expected)
    }

    @Test func `overloads with equal texts belong together`() {
        let old = login("public init(a: Int) {", "public init(b: Int) {")
        #expect(changes(old, login("public init(b: Int) {", "public init(a: Int) {")) == [])
        #expect(changes(old, login("public init(b: Int) {")) == ["! Login.init: is removed"])
    }

    @Test func `conformances can be gained, and those of a protocol cannot`() {
        #expect(changes("public struct A: B {}\n", "public struct A: B, C {}\n") == ["+ A: C: is added"])
        #expect(changes("public struct A: B, C {}\n", "public struct A: B {}\n\nextension A: C {}\n") == [])
        #expect(changes("public struct A: B {}\n", "public struct A {}\n") == ["! A: B: is removed"])
        #expect(
            changes("public protocol A: B {}\n", "public protocol A: B, C {}\n")
                == ["! A: C: is added; conforming types need it"])
    }

    @Test func `a requirement is breaking unless it has a default or its protocol is new`() {
        let old = "public protocol A {\n}\n"
        let new = "public protocol A {\n    func ask() -> Int\n}\n"
        #expect(changes(old, new) == ["! A.ask: is added; conforming types need it"])
        let extended = new + "\nextension A {\n    public func ask() -> Int { 1 }\n}\n"
        #expect(changes(old, extended) == ["+ A.ask: is added", "+ A.ask: is added, with a default"])
        #expect(changes("", new) == ["+ A: is added"])
    }

    @Test func `a case is breaking unless its type is new`() {
        let old = "public enum A {\n    case b\n}\n"
        #expect(
            changes(old, "public enum A {\n    case b\n    case c\n}\n") == ["! A.c: is added; switches over all cases need it"])
        #expect(changes("", old) == ["+ A: is added"])
        #expect(changes(old, "") == ["! A: is removed"])
    }
}
