/// The version of this package.
enum CountersignVersion {
    /// The first release, which manifests name, as in the README. There is none yet.
    static let first = "0.1.0"
    /// The version that `countersign --version` prints: one before the first release, by the rules of semantic versioning.
    static let current = "\(first)-dev"
}
