/// A template whose pieces have their spans and fields, so that diagnostics can point at each of them.
struct LocatedTemplate: Sendable {
    struct Piece: Sendable {
        let piece: ResolvedTemplate.Piece
        /// The field to which the piece refers; `nil` for a text.
        let field: FieldScope.Field?
        let span: SourceSpan

        init(_ piece: ResolvedTemplate.Piece, field: FieldScope.Field?, span: SourceSpan) {
            self.piece = piece
            self.field = field
            self.span = span
        }

        /// The text, if the piece is one.
        var literal: String? {
            guard case .text(let text) = piece else { return nil }
            return text
        }

        /// The type, if the piece is a reference.
        var type: FieldType? {
            switch piece {
            case .text: nil
            case .parameter(_, let type), .settings(_, let type): type
            }
        }
    }

    let text: Located<String>
    let pieces: [Piece]
    let span: SourceSpan

    /// The template in the model.
    var resolved: ResolvedTemplate {
        ResolvedTemplate(text: text.value, location: text.location, pieces: pieces.map(\.piece))
    }

    /// The reference, if the template consists only of it.
    var loneReference: Piece? {
        guard pieces.count == 1, let piece = pieces.first, piece.type != nil else { return nil }
        return piece
    }

    /// The text without escapes, if there are no references.
    var literal: String? {
        guard pieces.allSatisfy({ $0.literal != nil }) else { return nil }
        return pieces.compactMap(\.literal).joined()
    }
}
