import Foundation
import SwiftParser
import SwiftSyntax
import TestTurns
import Testing

/// The rules of generated code beyond valid Swift, checked on the goldens.
@Suite(.computes) struct `Rules of generated code` {
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

    /// The files, parsed once for all rules.
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
            if declaration.is(ImportDeclSyntax.self) || declaration.isOfDescribedError { return false }
            let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
            return modifiers.contains { [.keyword(.public), .keyword(.open)].contains($0.name.tokenKind) }
        }
    }

    /// The declarations of a spec's parts: structs, enumerations and open classes.
    var namedDeclarations: [DeclSyntax] {
        declarations.filter { declaration in
            let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.map(\.name.tokenKind) ?? []
            if declaration.is(ClassDeclSyntax.self) { return modifiers.contains(.keyword(.open)) }
            let isType = declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self)
            return isType && modifiers.contains(.keyword(.public))
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
            // Local declarations of functions are not visible outside.
            if node.is(CodeBlockSyntax.self) || node.is(ClosureExprSyntax.self) || node.is(AccessorBlockSyntax.self) {
                return .skipChildren
            }
            if let declaration = node.as(DeclSyntax.self) { declarations.append(declaration) }
            return .visitChildren
        }
    }
}

extension DeclSyntax {
    /// Whether it is a requirement of the runtime's protocol for error types, which is documented there.
    fileprivate var isOfDescribedError: Bool {
        let name = self.as(VariableDeclSyntax.self)?.bindings.first?.pattern.trimmedDescription
        return name.map(["table", "occurrence"].contains) == true
    }
}
