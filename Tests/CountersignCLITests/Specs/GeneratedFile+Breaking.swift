import CountersignGenerator

extension GeneratedFile {
    /// Returns the file with text at its end that is not Swift.
    func breaking(_ text: String) -> GeneratedFile {
        GeneratedFile(name: name, text: self.text + text + "\n", sections: sections)
    }
}
