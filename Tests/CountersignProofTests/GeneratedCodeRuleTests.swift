import Foundation
import SwiftParser
import SwiftSyntax
import TestTurns
import Testing

/// What is demanded of generated code beyond being Swift, checked on the goldens.
@Suite(.takesTurns) struct `Rules of generated code` {
    @Test func `no force, no Any`() throws {
        for golden in try Golden.all {
            for token in golden.tree.tokens(viewMode: .sourceAccurate) {
                #expect(token.tokenKind != .exclamationMark, "\(golden.name): \(token.parent?.trimmedDescription ?? "")")
                #expect(token.tokenKind != .keyword(.Any), "\(golden.name)")
                #expect(![.keyword(.fileprivate), .keyword(.unsafe)].contains(token.tokenKind), "\(golden.name)")
            }
        }
    }

    @Test func `what others see is documented`() throws {
        for golden in try Golden.all {
            for declaration in golden.visibleDeclarations {
                let isDocumented = declaration.leadingTrivia.contains { if case .docLineComment = $0 { true } else { false } }
                #expect(isDocumented, "\(golden.name): \(declaration.trimmedDescription.prefix(80))")
            }
        }
    }

    @Test func `what a spec names says its place`() throws {
        for golden in try Golden.all {
            for declaration in golden.namedDeclarations {
                let comment = declaration.leadingTrivia.description
                #expect(
                    comment.contains("/// - Remark: Generated from `"),
                    "\(golden.name): \(declaration.trimmedDescription.prefix(80))")
            }
        }
    }

    @Test func `nothing is isolated where the adopter isolates by default`() throws {
        for golden in try Golden.all {
            for statement in golden.tree.statements {
                guard let declaration = statement.item.asProtocol((any WithModifiersSyntax).self),
                    !statement.item.is(ImportDeclSyntax.self), !statement.item.is(TypeAliasDeclSyntax.self)
                else { continue }
                #expect(declaration.modifiers.first?.name.tokenKind == .keyword(.nonisolated), "\(golden.name)")
            }
        }
    }
}

/// A recorded file, parsed.
private struct Golden {
    let name: String
    let tree: SourceFileSyntax

    static var all: [Golden] {
        get throws { try parsed.get() }
    }

    /// Parsed once for all rules.
    private static let parsed = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Goldens")
        let goldens = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".generated.swift") }.sorted()
            .map { name in
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return Golden(name: name, tree: Parser.parse(source: text))
            }
        try #require(goldens.count >= 16)
        return goldens
    }

    /// Public and open declarations, cases and requirements of protocols.
    var visibleDeclarations: [DeclSyntax] {
        declarations.filter { declaration in
            if declaration.is(EnumCaseDeclSyntax.self) || declaration.parent?.parent?.parent?.is(ProtocolDeclSyntax.self) == true {
                return true
            }
            if declaration.is(ImportDeclSyntax.self) { return false }
            let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
            return modifiers.contains { [.keyword(.public), .keyword(.open)].contains($0.name.tokenKind) }
        }
    }

    /// Types at the top, cases, and stored properties of structs.
    var namedDeclarations: [DeclSyntax] {
        declarations.filter { declaration in
            // What the runtime is given, and what hands prompts on, has the generator's own names.
            if declaration.isInsideValues || declaration.isPrompter { return false }
            if declaration.is(EnumCaseDeclSyntax.self) { return true }
            let isType =
                declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) || declaration.is(ClassDeclSyntax.self)
            if isType || declaration.is(ProtocolDeclSyntax.self) { return true }
            guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.first?.accessorBlock == nil else {
                return false
            }
            return declaration.parent?.parent?.parent?.parent?.is(StructDeclSyntax.self) == true
        }
    }

    private var declarations: [DeclSyntax] {
        let collector = Collector(viewMode: .sourceAccurate)
        collector.walk(tree)
        return collector.declarations
    }

    private final class Collector: SyntaxAnyVisitor {
        var declarations: [DeclSyntax] = []

        override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
            // What functions declare for themselves is nobody else's.
            if node.is(CodeBlockSyntax.self) || node.is(ClosureExprSyntax.self) || node.is(AccessorBlockSyntax.self) {
                return .skipChildren
            }
            if let declaration = node.as(DeclSyntax.self) { declarations.append(declaration) }
            return .visitChildren
        }
    }
}

extension DeclSyntax {
    /// Whether it hands a method's prompts to the application, or is a member of what does.
    fileprivate var isPrompter: Bool {
        var candidate: Syntax? = Syntax(self)
        while let syntax = candidate {
            if syntax.as(StructDeclSyntax.self)?.inheritanceClause?.description.contains("ProgramPrompting") == true { return true }
            candidate = syntax.parent
        }
        return false
    }

    /// Whether it is a member of what the runtime is given of a method, a grant or a discovery.
    fileprivate var isInsideValues: Bool {
        var outer = parent
        while let candidate = outer {
            let inherited = candidate.as(StructDeclSyntax.self)?.inheritanceClause?.description ?? ""
            if ["GrantParameters", "OneTimeParameters", "ProgramParameters"].contains(where: inherited.contains) { return true }
            outer = candidate.parent
        }
        return false
    }
}
