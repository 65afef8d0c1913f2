import CountersignSpec

extension ResolvedLandscape {
    /// A landscape with methods of which each has one parameter, one page and one error, for tests to change what no reader lets through.
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

    /// Each part stands on a line of its own, which problems name.
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
