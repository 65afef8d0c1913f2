/// The specs that files are generated for, by the stems of their names.
///
/// A build has to know its outputs before a spec is read, so they depend on names alone: there is one for each spec of the
/// landscape and of the landscapes that it may extend.
package struct SpecStems: Sendable, Hashable {
    /// The stems in ascending order, spelled as in the landscape's own file if it has one.
    package let all: [String]

    /// Creates the stems of a landscape's files and of those that it may extend. Case is ignored.
    package init(own: [String], inherited: [String] = []) {
        var spelling: [String: String] = [:]
        for path in own.sorted() + inherited.sorted() {
            let stem = Self.stem(ofPath: path)
            spelling[stem.lowercased()] = spelling[stem.lowercased()] ?? stem
        }
        all = spelling.values.sorted { Self.precedes($0, $1) }
    }

    /// Returns the name of a file without its folder and extension: `SAML` for `Specs/SAML.yaml`.
    package static func stem(ofPath path: String) -> String {
        let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    static func isLandscape(_ stem: String) -> Bool { areSame(stem, "landscape") }

    static func areSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }
}
