import ArgumentParser
import Countersign
import Foundation
import HTTPTypes

/// Sends a request, and signs in if the server requires it.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Sends a request, and signs in where the server asks for it.",
        discussion: """
            The options are those of curl; redirects are followed, as with '-L'. The response's body goes to the standard output, \
            or to a file, as it arrives. A challenge that no method of the session answers is reported on the standard error, and its \
            body is written like any other; the exit status is 0, or 1 with '--fail'.

            A profile, in ~/.config/countersign/profiles.yaml, says how to sign in:

              notes:
                landscape: OAuth
                method: AuthorizationCode
                url: https://api.example/v1/
                values:
                  apis: https://api.example
                  authorizationURL: https://login.example/authorize
                  tokenURL: https://login.example/token
                  clientID: notes
                  clientSecret: { command: pass show notes }
                  redirectURL: http://127.0.0.1/callback

              countersign request --profile notes items

            The credential of a login is stored, encrypted, and used by the next command; '--no-store' stores nothing. For a \
            landscape of your own, write 'spec: folder' in place of 'landscape'.

            A server can ask for several methods, such as a second factor: write 'methods: [SAML, OTP]' in place of 'method', or \
            repeat '--method'. Each challenge is answered by the first method that has it, and a value is for every method that has \
            its name; 'SAML.name' is a value for one of them.
            """)

    @OptionGroup var client: ClientOptions

    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp("The HTTP method; by default GET, or POST with '-d'.", valueName: "method"))
    var requestMethod: String?

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .singleValue,
        help: ArgumentHelp("A header field. Repeatable.", valueName: "name: value"))
    var headers: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("data")], parsing: .singleValue,
        help: ArgumentHelp(
            "The body: a text, '@file', or '@-' for the standard input. Several texts are joined by '&'.", valueName: "data"))
    var data: [String] = []

    @Flag(name: [.customShort("i"), .customLong("include")], help: "Write the status and the header fields of the response, too.")
    var include = false

    @Flag(
        name: [.customShort("f"), .customLong("fail")], help: "Exit with status 1 for a response of 400 or more, without its body.")
    var fail = false

    @Option(
        name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("Write the body to a file.", valueName: "file"),
        completion: .file())
    var output: String?

    @Argument(
        help: ArgumentHelp(
            "The URL, absolute or relative to the profile's, whose path then ends with '/', like that of a folder.",
            valueName: "url"))
    var url: String?

    func run() async throws { try await run(console: .standard) }

    func run(console: Console) async throws {
        try await ClientRun.run(client, console: console) { client in
            let needsBody = client.methods.contains(where: \.isInBody)
            let request = try await request(to: client.address(url), needsBodyInMemory: needsBody)
            // The server must not have acted on a request whose response has no place.
            let file = output == "-" ? nil : try output.map(OutputFile.init)
            let response = try await client.session.send(request)
            console.clearProgress()
            try await show(response, to: request, of: client, in: file, on: console)
        }
    }

    private func request(to url: URL, needsBodyInMemory: Bool) async throws -> SessionRequest {
        let method = try HTTPRequest.Method.named(requestMethod ?? (data.isEmpty ? "GET" : "POST"))
        var fields = HTTPFields()
        if !data.isEmpty { fields[.contentType] = "application/x-www-form-urlencoded" }
        fields[.accept] = "*/*"
        var replaced: Set<HTTPField.Name> = []
        for text in headers {
            let parts = text.split(separator: ":", maxSplits: 1)
            if parts.count == 1, text.hasSuffix(":"), let name = HTTPField.Name(String(parts[0])) {
                fields[name] = nil
                continue
            }
            guard parts.count == 2, let name = HTTPField.Name(parts[0].trimmingCharacters(in: .whitespaces)) else {
                throw CommandProblem(
                    "'\(VisibleText.escaped(parts.first.map(String.init) ?? ""))' is not a valid header field.",
                    remedy: "Write 'Name: value', or 'Name:' for a request without the field.", exit: CommandExit.usage)
            }
            if replaced.insert(name).inserted { fields[name] = nil }
            fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
        }
        return SessionRequest(
            HTTPRequest(method: method, url: url, headerFields: fields), body: try await body(inMemory: needsBodyInMemory))
    }

    /// - Parameter inMemory: Whether a file is read, so that a credential can be added to it.
    private func body(inMemory: Bool) async throws -> RequestBody {
        guard !data.isEmpty else { return .none }
        guard data.contains(where: { $0.hasPrefix("@") }) else { return .text(data.joined(separator: "&")) }
        guard data.count == 1 else {
            throw CommandProblem(
                "A body from a file cannot be joined with other data.", remedy: "Give '-d' only once with '@'.",
                exit: CommandExit.usage)
        }
        let path = String(data[0].dropFirst())
        // A named pipe opens only when another program writes to it.
        let file: FileHandle? =
            try await path == "-" ? FileHandle.standardInput : Blocking.run { FileHandle(forReadingAtPath: path) }
        let unreadable = CommandProblem("The body cannot be read: \(path).", exit: CommandExit.noInput)
        guard let file else { throw unreadable }
        // Only a regular file has a length and can be read again.
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = path == "-" ? nil : try? FileManager.default.attributesOfItem(atPath: target)
        if !inMemory, attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? NSNumber {
            return .restartable(length: size.intValue) { FilePieces(path: path) }
        }
        do {
            return .bytes([UInt8](try await Blocking.run { try file.readToEnd() ?? Data() }))
        } catch let error as CancellationError {
            throw error
        } catch {
            throw unreadable
        }
    }

    private func show(
        _ response: SessionResponse, to request: SessionRequest, of client: Client, in file: OutputFile?, on console: Console
    ) async throws {
        let isRefused = fail && response.head.status.code >= 400
        let challenge = UnansweredChallenge(response, to: request, of: client)
        if include { try console.print(Self.head(of: response)) }
        if isRefused {
            response.body.cancel()
            console.report(
                problem: challenge?.description ?? "the server answered with status \(response.head.status.code)",
                help: challenge?.remedy)
            throw CommandExit.failed
        }
        // Before the body, which can lack a line break at its end.
        if let challenge { console.warn(challenge.description, help: challenge.remedy) }
        for try await piece in response.body {
            if let file {
                try file.write(piece)
            } else if try !console.print(piece) {
                // The reader of the output has closed it.
                response.body.cancel()
                return
            }
        }
        try file?.close()
    }

    private static func head(of response: SessionResponse) -> String {
        let fields = response.head.headerFields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "HTTP \(response.head.status.code)\n\(fields)"
    }
}

/// The bytes of a file, in pieces.
private struct FilePieces: AsyncSequence, Sendable {
    let path: String

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: FileHandle?

        mutating func next() async throws -> [UInt8]? {
            guard let data = try file?.read(upToCount: 1 << 16), !data.isEmpty else { return nil }
            return [UInt8](data)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: FileHandle(forReadingAtPath: path)) }
}

/// The file that a body is written to. A regular file is written completely or not at all, a device or a pipe as the body
/// arrives.
private final class OutputFile {
    private let path: String
    /// The path of the temporary file; `nil` if the target is not a regular file.
    private var partial: String?
    private let file: FileHandle

    init(_ path: String) throws {
        self.path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path)
        let isRegular =
            attributes?[.type] as? FileAttributeType == .typeRegular || !FileManager.default.fileExists(atPath: path)
        let partial = isRegular ? "\(self.path).\(UUID().uuidString).part" : nil
        let mode = mode_t((attributes?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o600)
        let descriptor =
            partial.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) } ?? open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.problem(path, errno) }
        self.partial = partial
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Removes the temporary file of an incomplete body.
    deinit { if let partial { unlink(partial) } }

    func write(_ bytes: [UInt8]) throws {
        do { try DescriptorWriter.write(bytes, to: file.fileDescriptor) } catch { throw Self.problem(path, error.code.rawValue) }
    }

    /// Ends the file. The system may report only now that earlier bytes could
    /// not be written, for example because of a full disk or a quota.
    func close() throws {
        do {
            // A device or a pipe need not support fsync(2).
            if partial != nil { try file.synchronize() }
            try file.close()
        } catch {
            throw Self.problem(path, reason: nil)
        }
        guard let partial else { return }
        guard rename(partial, path) == 0 else { throw Self.problem(path, errno) }
        self.partial = nil
    }

    private static func problem(_ path: String, _ code: Int32) -> CommandProblem {
        problem(path, reason: String(cString: strerror(code)))
    }

    private static func problem(_ path: String, reason: String?) -> CommandProblem {
        CommandProblem(
            "The file cannot be written: \(path)\(reason.map { " (\($0))" } ?? "").", exit: CommandExit.cannotCreate)
    }
}
