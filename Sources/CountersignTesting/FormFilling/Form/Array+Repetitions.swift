extension [String] {
    /// Each text once, where it stands first.
    var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
