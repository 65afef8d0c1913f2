import CountersignSpec

extension ResolvedLandscape {
    /// Makes a landscape whose methods each have one parameter, one page and one error. Tests change it into one that a reader
    /// rejects.
    static func minimal(_ methods: String...) throws -> ResolvedLandscape {
        var files = ["Specs/Minimal/landscape.yaml": landscapeText]
        for method in methods { files["Specs/Minimal/\(method).yaml"] = text(method) }
        return try ResolvedLandscape(reading: SpecSources(own: files))
    }

    /// The first method.
    var method: ResolvedSurfaceMethod {
        get { programMethods[0] }
        set { programMethods[0] = newValue }
    }

    private static let landscapeText = """
        countersign: 2
        landscape: Minimal
        summary: The landscape Minimal.
        settings: { serverURL: { type: url, summary: The server. } }
        server: serverURL
        swift: { surface: foundation, logging: countersign.test }

        """

    /// Returns the spec of a method, with each part on a line of its own for the locations of problems.
    private static func text(_ method: String) -> String {
        """
        countersign: 2
        method: \(method)
        summary: The method \(method).
        parameters:
          loginURL: { type: url, from: "{settings.serverURL}/login", summary: The login page. }
        challenge: [{ name: unauthorized, status: 401 }]
        credential: { cookies: shared }
        acquire: [{ present: { open: "{loginURL}", ends-at: "{loginURL}/done" } }]
        rejected: [{ then: [acquire], error: failed }]
        errors:
          failed: { summary: It failed. }

        """
    }
}
