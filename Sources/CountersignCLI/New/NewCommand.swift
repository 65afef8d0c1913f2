import ArgumentParser
import Countersign
import CountersignGenerator
import Foundation

/// Writes the files of a new landscape, and the entries for the manifest of its package.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes the files of a new landscape, and the entries for Package.swift.",
        discussion: """
            Writes 'landscape.yaml', the target's one Swift file, and a method with comments, which is a complete spec to adapt. \
            With '--extends', the methods are inherited, and 'landscape.yaml' has only the differences. Existing files are never \
            replaced: if one exists, nothing is written.

            The standard output is the text for Package.swift, to be copied there. The default folder is 'Sources/NAME', in which \
            SwiftPM finds the target of that name; another folder is the target's 'path'.

            Logins for '--login':
              token  a user name and a password in JSON, which return a bearer token
              form   a login form, which sets a session cookie
              basic  HTTP Basic, a user name and a password in each request
              key    an API key in a header field of each request
            For OAuth 2.0, OpenID Connect and SAML, extend a landscape.

            Examples:
              countersign new ParcelAPI --login form
              countersign new CompanyLogin --extends Keycloak
            """)

    @Argument(help: ArgumentHelp("The name of the landscape and its module, in UpperCamelCase.", valueName: "name"))
    var name: String

    @Option(
        name: .customLong("extends"),
        help: ArgumentHelp("A landscape that comes with the command, whose methods are inherited.", valueName: "landscape"),
        completion: .list(ShippedLandscapes.names))
    var base: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder for the files; created if needed. By default 'Sources/NAME'.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @Option(help: ArgumentHelp("The kind of the login, if no landscape is extended. By default 'token'.", valueName: "kind"))
    var login: LoginKind?

    @Flag(help: "Write the names of the files and the entries for Package.swift to the standard output as JSON.")
    var json = false

    func validate() throws {
        guard base == nil || login == nil else {
            throw ValidationError("'--extends' and '--login' exclude each other: give only one of them.")
        }
        guard output != "" else { throw ValidationError("The folder of '--output' has no name.") }
    }

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        do {
            try begin(console)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            try ClientFailure(error).end(on: console, json: json)
        }
    }

    private func begin(_ console: Console) throws {
        let draft = try LandscapeDraft(name, extending: base, login: login ?? .token)
        let path = output ?? "Sources/\(name)"
        let folder = TargetFolder(path, ofTarget: name)
        try NewFiles(folder.url).write(draft.files)
        let files = draft.files.map { (path.hasSuffix("/") ? path : path + "/") + $0.name }
        let manifest = ManifestEntries(target: name, path: folder.manifestPath, products: draft.products)
        for file in files { console.message("written \(VisibleText.escaped(file))") }
        try console.print(json ? try manifest.json(files: files) : manifest.text)
        if base == nil {
            console.message(
                "A program that imports the module also needs a transport, such as the product 'CountersignAsyncHTTPClient'.")
        }
        console.message(
            """
            Next, copy the entries to Package.swift, adapt the specs, and run:
              countersign lint \(path.shellWord)
              countersign mock --spec \(path.shellWord)
              swift build
            """)
    }
}
