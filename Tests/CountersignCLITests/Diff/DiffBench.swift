import CountersignGenerator
import CountersignSpec
import Testing

@testable import CountersignCLI

/// A small landscape in memory, whose versions are compared.
enum DiffBench {
    static let landscape = """
        countersign: 2
        landscape: Parcels
        summary: The parcels of a delivery service.
        operations:
          logout:
            summary: Ends the session.
            parameters:
              server:
                type: url
                example: "https://parcels.example"
                summary: The URL of the API.
            versions:
              v1:
                summary: The first version.
                steps:
                  - http:
                      send: "POST {server}/logout"
                      answers:
                        - { status: 204 }
              v2:
                summary: The second version.
                steps:
                  - http:
                      send: "POST {server}/v2/logout"
                      answers:
                        - { status: 204 }

        """

    static let method = """
        countersign: 2
        method: ParcelSession
        summary: A session token for a user and a password.

        parameters:
          server:
            type: url
            example: "https://parcels.example"
            summary: The URL of the API, without a trailing slash.
          client:
            type: string
            default: web
            summary: The kind of the client.
          tenant: { type: string, optional: true, summary: The tenant. }

        challenge:
          - name: no-session
            status: 401
            json: { /error: no_session }
          - { name: expired, status: 403, www-authenticate: Parcel }

        credential:
          fields:
            token: { type: secret, summary: The token. }
            lifetime: { type: duration, summary: The lifetime of the token. }
          expires: { after: "{credential.lifetime?}" }
          for: ["{server}"]

        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user name. }
                password: { type: secret, summary: The password. }
          - name: login
            http:
              send: "POST {server}/session"
              headers: { X-Client: "{client}", X-Tenant: "{tenant?}" }
              json: { user: "{user}", password: "{password}" }
              answers:
                - status: 200
                  capture:
                    token: { json: /token, type: secret }
                    lifetime: { json: /expires_in, type: duration, optional: true }
                - { status: 401, error: server }

        attach:
          - headers: { X-Parcel-Token: "{credential.token}" }

        rejected:
          - { challenge: expired, then: [acquire] }
          - { then: [acquire], retry: 2 }

        errors:
          refused: { summary: The login was refused. }
          broken: { summary: The response was broken. }

        failures: { cancelled: refused, missing: broken }

        """

    /// A replacement of a text that is in one of the files.
    struct Edit {
        let old: String
        let new: String

        init(_ old: String, _ new: String) {
            self.old = old
            self.new = new
        }
    }

    /// Another expected answer after the others, which is a compatible change.
    static let addedAnswer = Edit(
        "        - { status: 401, error: server }\n",
        "        - { status: 401, error: server }\n        - { status: 403, error: server }\n")

    static var files: [SpecFile] { [file("landscape.yaml", landscape), file("ParcelSession.yaml", method)] }

    static func file(_ name: String, _ text: String) -> SpecFile { SpecFile(path: name, bytes: Array(text.utf8)) }

    static func edited(_ files: [SpecFile], _ edits: [Edit]) throws -> [SpecFile] {
        try edits.reduce(files) { files, edit in
            let index = try #require(
                files.firstIndex { String(decoding: $0.bytes, as: UTF8.self).contains(edit.old) }, "there is no '\(edit.old)'")
            let text = String(decoding: files[index].bytes, as: UTF8.self).replacing(edit.old, with: edit.new, maxReplacements: 1)
            var files = files
            files[index] = SpecFile(path: files[index].path, bytes: Array(text.utf8))
            return files
        }
    }

    static func generation(_ own: [SpecFile], extending base: [SpecFile] = []) throws -> Generation {
        let generation = try LandscapeGenerator().generate(SpecSources(own: own, inherited: base))
        #expect(generation.files != nil, "\(generation.diagnostics)")
        return generation
    }

    /// Compares the landscape with an edited version.
    static func comparison(_ edits: [Edit], of files: [SpecFile] = files) throws -> LandscapeComparison {
        LandscapeComparison(from: try generation(files), to: try generation(try edited(files, edits)))
    }

    /// The changes of some areas, one a line: a mark of breaking ones, the area, the subject and the text.
    static func lines(_ comparison: LandscapeComparison, _ areas: Set<LandscapeChange.Area>) -> [String] {
        comparison.changes.filter { areas.contains($0.area) }.map {
            "\($0.isBreaking ? "!" : "+") \($0.area.rawValue) \($0.subject): \($0.text)"
        }
    }
}
