import CountersignGenerator
import CountersignSpec

/// The files of one landscape in an example of a message.
struct ExampleSources: Sendable {
    /// The landscape's own files, in the order in which they are shown.
    let own: [ExampleFile]
    /// The files of the landscape that it extends.
    let inherited: [ExampleFile]
    /// Modules that the target does not depend on.
    let lacking: Set<String>
    /// A remark that the texts of the files do not show: one sentence, in Markdown.
    let note: String?

    init(_ own: [ExampleFile], extending inherited: [ExampleFile] = [], lacking: Set<String> = [], note: String? = nil) {
        self.own = own
        self.inherited = inherited
        self.lacking = lacking
        self.note = note
    }

    /// Returns a method, beside the `landscape.yaml` that most examples share, which is not shown.
    static func method(_ text: String, named name: String = "ReaderKey.yaml", note: String? = nil) -> ExampleSources {
        ExampleSources([.unshown("landscape.yaml", ExampleText.landscape), ExampleFile(name, text)], note: note)
    }

    /// Returns a method of a landscape with the surface `foundation`. Only the method is shown.
    static func foundation(_ text: String, named name: String = "ReaderLogin.yaml") -> ExampleSources {
        ExampleSources([.unshown("landscape.yaml", ExampleText.settings), ExampleFile(name, text)])
    }

    /// Returns the same files with texts replaced in the shown ones, each at its first occurrence.
    func changing(_ changes: KeyValuePairs<String, String>, note: String? = nil) -> ExampleSources {
        func changed(_ files: [ExampleFile]) -> [ExampleFile] {
            files.map { file in changes.reduce(file) { $0.changing($1.key, to: $1.value) } }
        }
        return ExampleSources(changed(own), extending: changed(inherited), lacking: lacking, note: note)
    }

    /// Returns the diagnostics that the generator reports for the files.
    ///
    /// - Throws: `RenderingError` if a template is invalid.
    func diagnostics() throws -> [Diagnostic] {
        let unreadable = (own + inherited).filter { $0.bytes == nil }.map { SpecFile.unreadable(path: $0.name) }
        return try LandscapeGenerator().generate(sources, unreadable: unreadable, lacking: lacking).diagnostics
    }

    /// The files that can be read.
    var sources: SpecSources {
        func files(_ files: [ExampleFile]) -> [SpecFile] {
            files.compactMap { file in file.bytes.map { SpecFile(path: file.name, bytes: $0) } }
        }
        return SpecSources(own: files(own), inherited: files(inherited))
    }
}

/// A file of an example.
struct ExampleFile: Sendable {
    /// The path that messages show.
    let name: String
    /// `nil`, if the file cannot be read.
    let bytes: [UInt8]?
    /// The description that is shown instead of the text, one sentence in Markdown; `nil` to show the text.
    let description: String?
    /// Whether the file is shown.
    let isShown: Bool

    init(_ name: String, bytes: [UInt8]?, description: String? = nil, isShown: Bool = true) {
        self.name = name
        self.bytes = bytes
        self.description = description
        self.isShown = isShown
    }

    init(_ name: String, _ text: String) {
        self.init(name, bytes: Array(text.utf8))
    }

    /// Returns a file that the example needs but does not show.
    static func unshown(_ name: String, _ text: String) -> ExampleFile {
        ExampleFile(name, bytes: Array(text.utf8), isShown: false)
    }

    /// The text, with a replacement character for invalid UTF-8 and for control characters except tabs and line ends.
    var text: String {
        let text = String(decoding: bytes ?? [], as: UTF8.self)
        return String(
            text.map { character in
                let isHidden = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                return isHidden && !"\t\n".contains(character) ? "\u{FFFD}" : character
            })
    }

    fileprivate func changing(_ old: String, to new: String) -> ExampleFile {
        guard isShown, let bytes, let range = String(decoding: bytes, as: UTF8.self).firstRange(of: old) else { return self }
        var text = String(decoding: bytes, as: UTF8.self)
        text.replaceSubrange(range, with: new)
        return ExampleFile(name, bytes: Array(text.utf8), description: description, isShown: isShown)
    }
}
