/// A correction of a spec: the suggestion of a diagnostic in place of the word that the diagnostic underlines.
package struct SpecCorrection: Sendable, Hashable {
    /// The code of the diagnostic.
    package let code: DiagnosticCode
    /// The place of the word, before any correction.
    package let location: SourceLocation
    /// The word in the file.
    package let old: String
    /// The suggested word.
    package let new: String
}

extension SpecCorrection {
    /// Returns the corrections of a file that its diagnostics suggest, in the order of their places.
    ///
    /// Only a word is replaced by a word, and only if all diagnostics at a place suggest the same one. Another version of the language
    /// is no correction, since its keys have another meaning. An unknown reference is corrected only if the file has the suggested name
    /// at another place than its declaration, or if the name is one of the language: otherwise the declaration may be misspelt.
    package static func suggested(by diagnostics: [Diagnostic], for file: SpecFile) -> [SpecCorrection] {
        guard let text = SourceText(editable: file) else { return [] }
        var found: [SourceLocation: Set<SpecCorrection>] = [:]
        for diagnostic in diagnostics where diagnostic.location.file == file.path && diagnostic.code != .unsupportedVersion {
            guard let new = diagnostic.suggestion else { continue }
            let old = String(scalars: text.scalars[text.range(of: diagnostic)])
            guard old.isSpecWord, new.isSpecWord, old != new else { continue }
            found[diagnostic.location, default: []].insert(
                SpecCorrection(code: diagnostic.code, location: diagnostic.location, old: old, new: new))
        }
        let all = found.values.compactMap { $0.count == 1 ? $0.first : nil }.sorted { $0.location < $1.location }
        return all.filter { $0.code != .unknownReference || text.confirms($0.new, insteadOf: $0.old) }
    }

    /// The reason why an unknown reference with a suggestion is not corrected.
    package enum Obstacle: Sendable, Hashable, CaseIterable {
        /// A reference in braces, of which no other place has the suggested name: the declaration may be misspelt instead.
        case soleReference
        /// A name that is not in braces, such as a challenge of a rejection or the key of a condition. No reference in braces has the
        /// suggested name, and other uses of it are not searched for.
        case nameWithoutBraces
        /// Another one: the text is not on one line as it is written, there are several suggestions, or the correction would be a mistake
        /// itself.
        case other
    }

    /// Returns the reasons why unknown references of a file were not corrected, for those that have a suggestion.
    ///
    /// - Parameter diagnostics: Those of the file as it is after its corrections.
    package static func obstacles(in diagnostics: [Diagnostic], of file: SpecFile) -> Set<Obstacle> {
        let text = SourceText(editable: file)
        let unknown = diagnostics.filter { $0.location.file == file.path && $0.code == .unknownReference }
        return Set(
            unknown.compactMap { diagnostic -> Obstacle? in
                guard let new = diagnostic.suggestion else { return nil }
                guard let text else { return .other }
                let range = text.range(of: diagnostic)
                let old = String(scalars: text.scalars[range])
                guard old.isSpecWord, new.isSpecWord, !text.confirms(new, insteadOf: old) else { return .other }
                return text.isInBraces(range) ? .soleReference : .nameWithoutBraces
            })
    }

    /// Returns a file with corrections, and those that were made, each with the place of its new word. Of two that overlap, only the
    /// first is made.
    package static func applying(
        _ corrections: [SpecCorrection], to file: SpecFile
    ) -> (file: SpecFile, made: [(correction: SpecCorrection, place: SourceLocation)]) {
        guard !corrections.isEmpty, let text = SourceText(editable: file) else { return (file, []) }
        var scalars: [Unicode.Scalar] = text.startsWithMark(in: file) ? ["\u{FEFF}"] : []
        var made: [(correction: SpecCorrection, place: SourceLocation)] = []
        var next = 0
        /// The line of the last correction, and the number of columns by which the rest of that line has moved.
        var (line, shift) = (0, 0)
        for correction in corrections.sorted(by: { $0.location < $1.location }) {
            let place = correction.location
            let start = text.index(line: place.line, column: place.column)
            guard start >= next else { continue }
            if place.line != line { (line, shift) = (place.line, 0) }
            scalars += text.scalars[next..<start]
            scalars += Array(correction.new.unicodeScalars)
            made.append((correction, SourceLocation(file: place.file, line: line, column: place.column + shift)))
            shift += correction.new.unicodeScalars.count - correction.old.unicodeScalars.count
            next = start + correction.old.unicodeScalars.count
        }
        scalars += text.scalars[next...]
        return (SpecFile(path: file.path, bytes: Array(String(scalars: scalars).utf8)), made)
    }
}

extension SourceText {
    /// Decodes a file that can be written again without another change; `nil` for one that is not UTF-8.
    fileprivate init?(editable file: SpecFile) {
        let text = String(decoding: file.bytes, as: UTF8.self)
        guard Array(text.utf8) == file.bytes else { return nil }
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        self.init(file: file.path, scalars: scalars)
    }

    /// Returns the indices of the scalars that a diagnostic underlines, up to the end of their line.
    fileprivate func range(of diagnostic: Diagnostic) -> Range<Int> {
        let start = index(line: diagnostic.location.line, column: diagnostic.location.column)
        return start..<max(start, min(start + diagnostic.length, lineEnd(after: start)))
    }

    /// Whether the scalars are a whole reference in braces, with or without the mark of a value that may be absent.
    fileprivate func isInBraces(_ range: Range<Int>) -> Bool {
        guard range.lowerBound > 0, scalars[range.lowerBound - 1] == "{" else { return false }
        let rest = scalars[range.upperBound...].prefix(2)
        return rest.first == "}" || rest == ["?", "}"]
    }

    /// Whether a suggested name is the meant one: it only adds a prefix, such as `settings.`, or is one of the language, or another place
    /// of the text has it.
    fileprivate func confirms(_ name: String, insteadOf old: String) -> Bool {
        name.hasSuffix(".\(old)") || name.hasPrefix("request.") || uses(name)
    }

    /// Whether the text has a reference to a name, with or without the mark of a value that may be absent; or, for a field of the
    /// credential, a second key with its name, such as that of a step that sets the field.
    private func uses(_ name: String) -> Bool {
        let text = String(scalars: scalars)
        if text.contains("{\(name)}") || text.contains("{\(name)?}") { return true }
        let prefix = "credential."
        guard name.hasPrefix(prefix) else { return false }
        let words = text.split { !$0.isLetter && !$0.isNumber && !"_-:".contains($0) }
        return words.count { $0 == "\(name.dropFirst(prefix.count)):" } > 1
    }

    /// Whether a file begins with a byte order mark, which is no part of the text.
    fileprivate func startsWithMark(in file: SpecFile) -> Bool { file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) }
}

extension String {
    /// Whether the text has only characters of names, references and URLs, which need no quotes and contain none.
    fileprivate var isSpecWord: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_-.?/:".unicodeScalars.contains(scalar))
            }
    }
}
