import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignGenerator
import CountersignSpec
import CountersignTesting
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignCLI

/// The commands that sign in, against servers on sockets.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct ClientCommandTests {
    private func run(
        _ arguments: [String], console: RecordedConsole = RecordedConsole()
    ) async -> CommandBench.Run { await CommandBench.run(arguments, console: console) }

    private func digest(_ mock: MockDigest, _ place: CommandBench, password: String? = "wonderland") throws -> [String] {
        var arguments = [
            "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set", "servers=\(mock.url.absoluteString)",
        ]
        if let password {
            arguments += ["--set", "user=alice", "--set-file", "password=\(try place.write(password, to: "password"))"]
        }
        return arguments
    }

    @Test func `a login is kept for the next command, and gone after the logout`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let with = try digest(mock, place) + place.store
            let without = try digest(mock, place, password: nil) + place.store

            let login = await run(["login"] + with + [url])
            #expect(login.exit == ExitCode(0) && login.messages.contains("Signed in by HTTPAuthentication.HTTPDigest"))
            #expect(login.output == "")
            let again = await run(["login"] + with + [url])
            #expect(again.exit == ExitCode(0))
            #expect(again.messages.hasPrefix("The stored login of HTTPAuthentication.HTTPDigest is valid; "))
            let request = await run(["request", "-i"] + without + [url])
            #expect(request.exit == ExitCode(0) && request.output.hasPrefix("HTTP 200\n"))
            let status = await run(["status"] + without)
            #expect(status.output.contains("signed in at http://127.0.0.1"))
            #expect(await run(["logout"] + without).exit == ExitCode(0))
            let later = await run(["request"] + without + [url])
            #expect(later.exit == CommandExit.refused)
            #expect(later.messages.contains("asks for 'user' and 'password', but no value was given and there is no terminal"))
            #expect(await run(["status"] + without).output.contains("not signed in"))
        }
    }

    @Test func `a request as one user is not sent with the stored login of another`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland", "bob": "builder"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let alice = try digest(mock, place)
            let bob = [
                "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set", "servers=\(mock.url.absoluteString)",
                "--set", "user=bob", "--set-file", "password=\(try place.write("builder", to: "builder"))",
            ]
            #expect(await run(["login"] + alice + place.store + [url]).exit == ExitCode(0))
            let sends = mock.statistics.sends
            let refused = await run(["request"] + bob + place.store + [url])
            #expect(refused.exit == CommandExit.usage && refused.messages.contains("another 'user' than the command line"))
            #expect(!refused.messages.contains("alice") && mock.statistics.sends == sends)
            #expect(await run(["request"] + alice + place.store + [url]).exit == ExitCode(0))
            #expect(await run(["request", "--no-store"] + bob + [url]).exit == ExitCode(0))
            #expect(await run(["logout"] + bob + place.store).exit == ExitCode(0))
            #expect(await run(["request"] + bob + place.store + [url]).exit == ExitCode(0))
        }
    }

    @Test func `a stored login is compared with requests to its own server`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { first in
            try await MockDigest.run(users: ["bob": "builder"]) { second in
                let place = try CommandBench()
                let servers = [first.url, second.url].flatMap { ["--set", "servers=\($0.absoluteString)"] }
                let method = ["--landscape", "HTTPAuthentication", "--method", "HTTPDigest"] + servers + place.store
                let alice = ["--set", "user=alice", "--set-file", "password=\(try place.write("wonderland", to: "alice"))"]
                let bob = ["--set", "user=bob", "--set-file", "password=\(try place.write("builder", to: "bob"))"]
                let atFirst = first.url.appending(path: "data").absoluteString
                let atSecond = second.url.appending(path: "data").absoluteString
                #expect(await run(["login"] + method + alice + [atFirst]).exit == ExitCode(0))
                #expect(await run(["request"] + method + bob + [atSecond]).exit == ExitCode(0))
                // Also with a login of the same user at another server.
                let sends = first.statistics.sends
                let refused = await run(["request"] + method + bob + [atFirst])
                #expect(refused.exit == CommandExit.usage && refused.messages.contains("another 'user' than the command line"))
                #expect(first.statistics.sends == sends)
                #expect(await run(["request"] + method + alice + [atFirst]).exit == ExitCode(0))
            }
        }
    }

    @Test func `what is shown and what goes wrong has no secret in it`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let good = await run(["request", "--verbose", "--no-store"] + (try digest(mock, place)) + [url])
            #expect(good.exit == ExitCode(0) && good.messages.contains("Authorization: Digest (redacted)"))
            let bad = await run(
                ["request", "--verbose", "--no-store"] + (try digest(mock, place, password: "looking-glass")) + [url])
            #expect(bad.exit == CommandExit.refused)
            for text in ["wonderland", "looking-glass"] { #expect(!(good.messages + bad.messages).contains(text)) }
            let open = await run(
                ["request", "--no-store", "--set", "password=wonderland"] + (try digest(mock, place, password: nil)) + [url])
            #expect(open.exit == CommandExit.badData && open.messages.contains("'password' is a secret"))
            #expect(!open.messages.contains("wonderland"))
        }
    }

    @Test func `a body goes to a file, whole or not at all, and a status can be an end`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let file = place.path + "/out"
            let request = await run(["request", "--no-store", "-o", file] + (try digest(mock, place)) + [url])
            #expect(request.exit == ExitCode(0) && request.output == "")
            #expect(FileManager.default.contents(atPath: file)?.isEmpty == false)
            let sends = mock.statistics.sends
            let missing = await run(["request", "--no-store", "-o", "/not/there/out"] + (try digest(mock, place)) + [url])
            #expect(missing.exit == CommandExit.cannotCreate)
            #expect(missing.messages.contains("The file cannot be written: /not/there/out (No such file or directory)."))
            #expect(mock.statistics.sends == sends)
            let refused = await run([
                "request", "-f", "--no-store", "--landscape", "Transmission", "--method", "HTTPBasic",
                "--set", "servers=http://127.0.0.1:9", url,
            ])
            #expect(refused.exit == CommandExit.failed && refused.messages.contains("status 401"))
        }
    }

    #if os(Linux)
    @Test func `a body that does not fit on the disk is an error`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let full = await run(["request", "--no-store", "-o", "/dev/full"] + (try digest(mock, place)) + [url])
            #expect(full.exit == CommandExit.cannotCreate)
            #expect(full.messages.contains("The file cannot be written: /dev/full (No space left on device)."))
        }
    }
    #endif

    @Test func `a body goes through a link, into a device, and keeps the file's mode`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let target = try place.write("old", to: "target")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
            try FileManager.default.createSymbolicLink(atPath: place.path + "/link", withDestinationPath: target)
            let linked = await run(["request", "--no-store", "-o", place.path + "/link"] + (try digest(mock, place)) + [url])
            #expect(linked.exit == ExitCode(0))
            #expect(FileManager.default.contents(atPath: target).map { String(decoding: $0, as: UTF8.self) } != "old")
            let attributes = try FileManager.default.attributesOfItem(atPath: target)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.path + "/link") == target)
            #expect(
                await run(["request", "--no-store", "-o", "/dev/null"] + (try digest(mock, place)) + [url]).exit == ExitCode(0))
            let device = try FileManager.default.attributesOfItem(atPath: "/dev/null")
            #expect(device[.type] as? FileAttributeType == .typeCharacterSpecial)
            let whole = await run(["request", "--no-store", "-o", "-"] + (try digest(mock, place)) + [url])
            #expect(!whole.output.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).allSatisfy { !$0.hasSuffix(".part") })
        }
    }

    @Test func `a body that cannot be read is an error, and not an empty body`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            for path in [place.path, place.path + "/absent"] {
                let sent = await run(["request", "--no-store", "-d", "@\(path)"] + (try digest(mock, place)) + [url])
                #expect(sent.exit == CommandExit.noInput && sent.messages.contains("The body cannot be read: \(path)."))
            }
            let joined = await run(["request", "--no-store", "-d", "a=1", "-d", "@file"] + (try digest(mock, place)) + [url])
            #expect(joined.exit == CommandExit.usage && joined.messages.contains("cannot be joined with other data"))
            #expect(mock.statistics.sends == 0)
        }
    }

    @Test func `a secret and a key can come from a pipe`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let key = try String(contentsOfFile: place.path + "/key", encoding: .utf8)
            let pipes = [
                "--set-file", "password=\(try place.pipe("wonderland\n", to: "password-pipe"))", "--key-file",
                try place.pipe(key, to: "key-pipe"),
            ]
            let values = try digest(mock, place, password: nil) + ["--set", "user=alice", "--store", place.path + "/store"]
            let login = await run(["login"] + values + pipes + [url])
            #expect(login.exit == ExitCode(0), "\(login.messages)")
            // The store was created with that key.
            let request = await run(["request"] + (try digest(mock, place, password: nil)) + place.store + [url])
            #expect(request.exit == ExitCode(0), "\(request.messages)")
        }
    }

    @Test func `a refused login is not a missing value`() async throws {
        let landscape = try ShippedLandscapes.landscape(named: "HTTPAuthentication")
        let variant = try landscape.method(named: "HTTPDigest").variant(named: nil)
        var profile = Profile(name: "work")
        profile.values = ["user": .texts(["alice"]), "password": .command("printf looking-glass")]
        let prompter = ClientPrompter(method: "HTTPDigest", program: variant.resolved, profile: profile, terminal: nil)
        let url = try #require(URL(string: "https://api.example/items"))
        let origin = try #require(Origin(url))
        #expect(try await prompter.answer(prompt: 0, CredentialPrompt(origin: origin, url: url))?.count == 2)
        let refused = await #expect(throws: CommandProblem.self) {
            try await prompter.answer(prompt: 0, CredentialPrompt(origin: origin, url: url, refusals: 1))
        }
        #expect(
            refused?.description == "https://api.example has refused the login of HTTPDigest with the given 'user' and 'password'.")
        #expect(refused?.exit == CommandExit.refused)
        profile.values["password"] = nil
        let asking = ClientPrompter(method: "HTTPDigest", program: variant.resolved, profile: profile, terminal: nil)
        let missing = await #expect(throws: CommandProblem.self) {
            try await asking.answer(prompt: 0, CredentialPrompt(origin: origin, url: url))
        }
        #expect(missing?.remedy == "Give a secret with '--set-env' or '--set-file', or under 'values' of the profile.")
    }

    @Test func `a page with a form and a cookie is no login of a new landscape`() async throws {
        try await MockFormLogin.run { mock in
            let place = try CommandBench()
            let folder = place.path + "/App"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in try LandscapeDraft("App", extending: nil, login: .form).files {
                try place.write(file.text, to: "App/\(file.name)")
            }
            let origin = try #require(Origin(mock.url))
            let values = ["--spec", folder, "--set", "server=\(origin)", "--set", "user=alice"]
            let url = mock.url.appending(path: "data").absoluteString
            let wrong = await run(
                ["login", "--no-store"] + values + ["--set-file", "password=\(try place.write("looking-glass", to: "wrong"))", url])
            #expect(wrong.exit == CommandExit.refused)
            #expect(wrong.messages.contains("has refused the login of AppLogin with the given 'user' and 'password'"))
            let right = ["--set-file", "password=\(try place.write("wonderland", to: "right"))"]
            #expect(await run(["login"] + values + right + place.store + [url]).exit == ExitCode(0))
            let token = await run(["token", "--header"] + values + right + place.store + [url])
            #expect(token.exit == ExitCode(0) && token.output.hasPrefix("Cookie: ") && token.output.contains("="))
            #expect(await run(["logout"] + values + place.store).exit == ExitCode(0))
            #expect(mock.statistics.logouts == 1)
        }
    }

    @Test func `a challenge that is not answered has a reason`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let url = mock.url.appending(path: "data").absoluteString
            let method = ["--landscape", "HTTPAuthentication", "--no-store", "--method"]
            let elsewhere = await run(["login"] + method + ["HTTPDigest", "--set", "servers=http://127.0.0.1:1", url])
            #expect(elsewhere.exit == CommandExit.refused)
            #expect(elsewhere.messages.contains("the credential is only for http://127.0.0.1:1."))
            let other = await run(["login"] + method + ["HTTPNegotiate", "--set", "servers=\(mock.url.absoluteString)", url])
            #expect(other.exit == CommandExit.refused && other.messages.contains("'unauthorized' of HTTPAuthentication.HTTPDigest"))
            #expect(other.messages.contains("help: Name that method, alone or with others: '--method HTTPDigest'."))
            let values = ["--set", "servers=https://a.example", "https://a:b@a.example/"]
            let user = await run(["login"] + method + ["HTTPDigest"] + values)
            #expect(user.exit == CommandExit.usage && user.messages.contains("contains a user name or a password"))
        }
    }

    @Test func `a name with two values is refused unless they are a list`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let prompted = await run(["request", "--no-store", "--set", "user=bob"] + (try digest(mock, place)) + [url])
            #expect(prompted.exit == CommandExit.badData)
            #expect(prompted.messages.contains("the prompt 'user' is not a single value"))
            #expect(mock.statistics.sends == 0)
            let listed = await run(
                ["request", "--no-store", "--set", "servers=http://127.0.0.1:9"] + (try digest(mock, place)) + [url])
            #expect(listed.exit == ExitCode(0), "\(listed.messages)")
            let secrets = ["--set-env", "password=HOME"] + (try digest(mock, place))
            #expect(throws: (any Error).self) { try CountersignCommand.parseAsRoot(["request"] + secrets + [url]) }
        }
    }

    @Test func `all missing parameters are named at once`() async {
        let method = ["--landscape", "OAuth", "--method", "AuthorizationCode"]
        let missing = await run(["login", "--no-store"] + method + ["http://127.0.0.1:9/"])
        #expect(missing.exit == CommandExit.badData)
        for name in ["apis", "authorizationURL", "tokenURL", "clientID", "redirectURL"] {
            #expect(missing.messages.contains("'\(name)' ("), "\(missing.messages)")
        }
        #expect(!missing.messages.contains("'clientSecret'"))
    }

    @Test func `a file without a certificate is an error before a request`() async throws {
        let place = try CommandBench()
        let empty = try place.write("no certificate", to: "empty.pem")
        for (file, exit) in [(empty, CommandExit.badData), (place.path + "/absent.pem", CommandExit.noInput)] {
            #expect(await run(["probe", "--ca-file", file, "https://127.0.0.1:9/"]).exit == exit)
            let login = await run([
                "login", "--no-store", "--ca-file", file, "--landscape", "HTTPAuthentication", "--method", "HTTPBasic", "--set",
                "servers=https://127.0.0.1:9", "https://127.0.0.1:9/",
            ])
            #expect(login.exit == exit)
        }
    }

    @Test func `a field without a scheme is a secret, and so is the password of an archive`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let shown = await run(
                ["request", "-v", "--no-store", "-H", "Authorization: s3cr3ttoken"] + (try digest(mock, place)) + [url])
            #expect(shown.messages.contains("Authorization: (redacted)") && !shown.messages.contains("s3cr3t"))
            let archive = await run([
                "request", "--no-store", "--landscape", "SAPMobileServices", "--method", "UserIdentity", "--set",
                "identityPassword=hunter2", url,
            ])
            #expect(archive.exit == CommandExit.badData && archive.messages.contains("'identityPassword' is a secret"))
            #expect(!archive.messages.contains("hunter2"))
        }
    }

    @Test func `a logout deletes what cannot be read`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let values = try digest(mock, place) + place.store
            #expect(await run(["login"] + values + [url]).exit == ExitCode(0))
            let store = place.path + "/store"
            for file in try FileManager.default.subpathsOfDirectory(atPath: store) where file != "store" {
                let size = (try FileManager.default.attributesOfItem(atPath: "\(store)/\(file)")[.size] as? NSNumber)?.intValue ?? 0
                guard size > 64, let handle = FileHandle(forWritingAtPath: "\(store)/\(file)") else { continue }
                try handle.seek(toOffset: UInt64(size - 8))
                try handle.write(contentsOf: Data(repeating: 0, count: 8))
            }
            #expect(await run(["status"] + values).exit == CommandExit.storeFailed)
            #expect(await run(["logout"] + values).exit == ExitCode(0))
            #expect(await run(["status"] + values).output.contains("not signed in"))
        }
    }

    @Test func `a login that cannot be stored is said, and a logout deletes without the secret`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "data").absoluteString
            let values = try digest(mock, place)
            let key = ["--key-file", place.path + "/key"]
            let lost = await run(["login"] + values + key + ["--store", "/proc/nope", url])
            #expect(lost.exit == CommandExit.storeFailed && lost.messages.contains("could not be stored"))
            #expect(await run(["login"] + values + place.store + [url]).exit == ExitCode(0))
            let gone = [
                "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set", "servers=\(mock.url.absoluteString)",
                "--set-env", "password=NOT_SET_ANYWHERE",
            ]
            #expect(await run(["logout"] + gone + place.store).exit == ExitCode(0))
            #expect(await run(["status"] + gone + place.store).output.contains("not signed in"))
        }
    }

    @Test func `keys of a role say until when they are good, also where nothing is kept`() async throws {
        let place = try CommandBench()
        try await MockAmazonWebServices.run(lifetime: 1_800) { mock in
            let values = [
                "endpoints": "\(mock.url)", "region": MockAmazonWebServices.region, "service": MockAmazonWebServices.service,
                "tokenService": "\(mock.url)", "role": MockAmazonWebServices.role, "accessKeyID": MockAmazonWebServices.accessKeyID,
            ]
            let secret = try place.write(MockAmazonWebServices.secretAccessKey, to: "secret")
            let said = try await helper(
                [
                    "aws", "--no-store", "--landscape", "AmazonWebServices", "--method", "AssumedRole", "--url",
                    "\(mock.url)objects/one", "--set-file", "secretAccessKey=\(secret)",
                ] + values.flatMap { ["--set", "\($0.key)=\($0.value)"] }, says: [])
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
            #expect(answer["Version"] as? Int == 1 && answer["SessionToken"] is String)
            let end = try Date(try #require(answer["Expiration"] as? String), strategy: .iso8601)
            #expect(abs(end.timeIntervalSinceNow - 1_800) < 60)
            #expect(mock.statistics == .init(answered: 1, roles: 1, sends: 2))
        }
    }

    @Test func `commands that run at once keep each other's cookies`() async throws {
        let place = try CommandBench()
        var profile = Profile(name: "work")
        profile.keyFile = place.path + "/key"
        let store = try ClientStore(profile: profile, folder: URL(filePath: place.path + "/store"))
        func cookie(_ name: String, _ value: String = "1") -> Cookie {
            Cookie(name: name, value: value, domain: "app.example", isHostOnly: true)
        }
        func jar(_ cookies: Cookie...) -> CookieJar.Snapshot { CookieJar.Snapshot(cookies: cookies) }

        let before = jar(cookie("session"), cookie("old"))
        try await store.keep(before, since: jar())
        // Both runs began with the same cookies.
        try await store.keep(jar(cookie("session", "2"), cookie("old")), since: before)
        try await store.keep(jar(cookie("session"), cookie("new")), since: before)
        let kept = Dictionary(uniqueKeysWithValues: try await store.cookies().map { ($0.name, $0.value) })
        #expect(kept == ["session": "2", "new": "1"])
        try await store.discardCookies()
        #expect(try await store.cookies().isEmpty)
    }

    @Test func `a server that is not there, a landscape that is none, a store without a key`() async throws {
        let place = try CommandBench()
        let client = [
            "--landscape", "OAuth", "--method", "ClientCredentials", "--set", "apis=http://127.0.0.1:9", "--set",
            "tokenURL=http://127.0.0.1:9/token", "--set", "clientID=a", "--set-file",
            "clientSecret=\(try place.write("s", to: "s"))",
        ]
        #expect(await run(["request", "--no-store"] + client + ["http://127.0.0.1:9/x"]).exit == CommandExit.unavailable)
        let unknown = await run(["request", "--no-store", "--landscape", "Nowhere", "http://127.0.0.1:9/x"])
        #expect(unknown.exit == CommandExit.usage && unknown.messages.contains("There are: AmazonWebServices,"))
        let relative = await run(["request", "--no-store"] + client + ["x"])
        #expect(relative.exit == CommandExit.usage && relative.messages.contains("'x' is not a valid URL"))
        let open = place.path + "/open"
        try Data(repeating: 1, count: 32).write(to: URL(filePath: open))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        let key = await run(["status"] + client + ["--store", place.path + "/store", "--key-file", open])
        #expect(key.exit == CommandExit.badData && key.messages.contains("can be read by others"))
    }

    @Test func `a method and a variant that are not named, or do not exist`() async throws {
        let request = ["request", "--no-store", "--set", "a=b", "https://a.example"]
        let oauth = ["--landscape", "OAuth"]
        let services = ["--landscape", "SAPMobileServices", "--method", "OAuth2"]
        let cases: [(arguments: [String], problem: String, help: String)] = [
            (request + oauth, "there is more than one method: ", "'--method'"),
            (request + oauth + ["--method", "Nothing"], "there is no method 'Nothing'; there are: ", "'--method'"),
            (request + services, "there is more than one variant: ", "'--variant'"),
            (request + services + ["--variant", "nothing"], "there is no variant 'nothing'; there are: ", "'--variant'"),
            (["explain"] + oauth, "there is more than one method: ", "the argument 'method'"),
        ]
        for (arguments, problem, help) in cases {
            let ended = await run(arguments)
            #expect(ended.exit == CommandExit.usage, "\(arguments)")
            #expect(ended.messages.contains(problem), "\(ended.messages)")
            #expect(ended.messages.contains("help: Name one with \(help).\n"), "\(ended.messages)")
        }
    }

    @Test func `a token is what the server takes, and is kept`() async throws {
        try await MockAuthorizationServer.run { server in
            let place = try CommandBench()
            let client = MockOAuth2Client.service
            let values =
                [
                    "--landscape", "OAuth", "--method", "ClientCredentials", "--set", "apis=\(server.baseURL.absoluteString)",
                    "--set",
                    "tokenURL=\(server.tokenEndpoint.absoluteString)", "--set", "clientID=\(client.id)", "--set-file",
                    "clientSecret=\(try place.write(client.secret ?? "", to: "secret"))",
                ] + place.store
            let url = server.baseURL.appending(path: "notes").absoluteString
            let token = await run(["token"] + values + [url])
            #expect(token.exit == ExitCode(0) && token.output.count > 10 && !token.messages.contains(token.output))
            let again = await run(["token", "--header"] + values + [url])
            #expect(again.output == "Authorization: Bearer \(token.output)")
            #expect(server.statistics.tokenAnswers[.clientCredentials] == 1)
        }
    }

    @Test func `a token endpoint in trouble is not a refused login`() async throws {
        try await MockAuthorizationServer.run { server in
            let place = try CommandBench()
            let client = MockOAuth2Client.service
            let request = [
                "request", "--no-store", "--landscape", "OAuth", "--method", "ClientCredentials", "--set",
                "apis=\(server.baseURL.absoluteString)", "--set", "tokenURL=\(server.tokenEndpoint.absoluteString)", "--set",
                "clientID=\(client.id)", "--set-file", "clientSecret=\(try place.write(client.secret ?? "", to: "secret"))",
                server.baseURL.appending(path: "notes").absoluteString,
            ]
            for fault in [MockTokenFault.status(503), .error("temporarily_unavailable", status: 400)] {
                server.inject(fault, for: .clientCredentials)
                let ended = await run(request)
                #expect(ended.exit == CommandExit.unavailable, "\(ended.messages)")
                #expect(ended.messages.contains("help: Try again later"), "\(ended.messages)")
            }
            #expect(await run(request).exit == ExitCode(0))
        }
    }

    @Test func `specs of a folder are executed as they are`() async throws {
        try await MockKeystone.run { mock in
            let place = try CommandBench()
            let folder = place.path + "/specs"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in ShippedLandscapes.specs(of: "Keystone") {
                try Data(file.bytes).write(to: URL(filePath: "\(folder)/\(URL(filePath: file.path).lastPathComponent)"))
            }
            let values = [
                "--spec", folder, "--no-store", "--set", "identityURL=\(mock.identityURL.absoluteString)", "--set",
                "cloud=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
                "password=\(try place.write("wonderland", to: "password"))",
            ]
            let url = mock.url.appending(path: "servers").absoluteString
            #expect(await run(["request"] + values + [url]).exit == ExitCode(0))
            try place.write("countersign: 2\nlandscape: Broken\nsumary: x\n", to: "specs/landscape.yaml")
            let broken = await run(["request"] + values + [url])
            #expect(broken.exit == CommandExit.badData && broken.messages.contains("landscape.yaml:3:1: error: "))
        }
    }

    @Test func `a probe names the challenge, or drafts a spec that can be read`() async throws {
        try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
            let probe = await run(["probe", mock.url.appending(path: "v2/").absoluteString])
            #expect(probe.messages.contains("of ContainerRegistry.RegistryToken.") && probe.output == "")
        }
        let odd = try #require(URL(string: "https://odd.example/"))
        let heads = [
            HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: #"Odd realm="a", id="b""#]),
            HTTPResponse(status: .conflict), HTTPResponse(status: .found, headerFields: [.location: "/login?to=%7B%7D"]),
        ]
        for (number, head) in heads.enumerated() {
            let draft = try #require(SpecDraft(ProbeAnswer(head: head, body: []), from: odd))
            let parameter = number == 2 ? "server=https://odd.example --set doneURL=…" : "servers=https://odd.example"
            #expect(draft.text.contains("\n#   countersign request --spec FOLDER --set \(parameter) https://odd.example/\n"))
            let place = try CommandBench()
            try place.write("countersign: 2\nlandscape: Odd\nsummary: Odd.\n", to: "landscape.yaml")
            try place.write(draft.text, to: "Login.yaml")
            let landscape = try ShippedLandscapes.landscape(in: place.path, extending: nil)
            #expect(landscape.methods.map(\.name) == ["Login"], "\(number)")
        }
        // A terminal would obey them.
        let hostile = HTTPResponse(status: .found, headerFields: [.location: "/login\u{9B}2J\u{202E}?a"])
        #expect(SpecDraft(ProbeAnswer(head: hostile, body: []), from: odd)?.text.contains("{ prefix: \"/login2J\" }") == true)
        // A credential would be sent unencrypted.
        let plain = try #require(URL(string: "http://odd.example/"))
        #expect(SpecDraft(ProbeAnswer(head: heads[0], body: []), from: plain) == nil)
        let proxied = HTTPResponse(status: .proxyAuthenticationRequired)
        #expect(SpecDraft(ProbeAnswer(head: proxied, body: []), from: odd) == nil)
        #expect(SpecDraft(ProbeAnswer(head: HTTPResponse(status: .notModified), body: []), from: odd) == nil)
    }

    @Test(arguments: [
        (#"{"code": 4711, "message": "logon required"}"#, "/code", "4711"),
        (#"{"error": "no_session"}"#, "/error", #""no_session""#),
        (#"{"message": "x y", "error": {"code": "E-17.b"}}"#, "/error/code", #""E-17.b""#),
        (#"{"error": "Please log in.", "code": true, "type": null, "reason": [1]}"#, nil, nil), (#"{"code": "absent"}"#, nil, nil),
        ("[1]", nil, nil), ("no access", nil, nil), ("", nil, nil),
    ])
    func `a draft recognises a refusal by the code in its JSON body`(body: String, pointer: String?, scalar: String?) throws {
        let url = try #require(URL(string: "https://odd.example/"))
        let answer = ProbeAnswer(head: HTTPResponse(status: .forbidden), body: Array(body.utf8))
        let draft = try #require(SpecDraft(answer, from: url))
        #expect(RefusalCode(in: answer.body)?.pointer == pointer)
        if let pointer, let scalar {
            #expect(draft.text.contains("\n    status: 403\n    json: { \(pointer): \(scalar) }\n"), "\(draft.text)")
        } else {
            #expect(draft.text.contains("\n  - { name: refused, status: 403 }\n"), "\(draft.text)")
        }
        let place = try CommandBench()
        try place.write("countersign: 2\nlandscape: Odd\nsummary: Odd.\n", to: "landscape.yaml")
        try place.write(draft.text, to: "Login.yaml")
        let landscape = try ShippedLandscapes.landscape(in: place.path, extending: nil)
        let method = try #require(landscape.methods.first)
        // The draft recognises the response from which it was made.
        let match = ProbeReport.Match(method, of: landscape, answer: answer, from: url)
        #expect(match?.challenge == "refused")
    }

    @Test func `a folder in place of a method leads to the option for it`() async throws {
        let place = try CommandBench()
        try place.write("countersign: 2\nlandscape: Odd\nsummary: Odd.\n", to: "landscape.yaml")
        let ended = await run(["explain", place.path])
        #expect(ended.exit == CommandExit.usage)
        #expect(ended.messages.contains("countersign explain --spec \(place.path)"), "\(ended.messages)")
    }

    @Test(arguments: [
        (#"Bearer realm="https://auth.example/token",service="registry",scope="a:b:pull""#, "ContainerRegistry.RegistryToken"),
        (#"Negotiate"#, "HTTPAuthentication.HTTPNegotiate"), (#"Bearer realm="brew""#, nil),
    ])
    func `a probe names a next step that fits the response`(field: String, method: String?) throws {
        let url = try #require(URL(string: "https://odd.example/"))
        let answer = ProbeAnswer(head: HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: field]), body: [])
        let matches = try ShippedLandscapes.roots.map(ShippedLandscapes.landscape(named:)).flatMap { landscape in
            landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: url) }
        }
        let lines = ProbeReport(url: url, answer: answer, matches: matches).lines()
        if let method {
            let name = method.split(separator: ".")
            #expect(lines.last == "Next: countersign explain --landscape \(name[0]) \(name[1])")
        } else {
            #expect(lines.last == "If the server has a login of its own: countersign new NAME")
            // The realm of a registry is a URL.
            #expect(!lines.contains("This is the challenge 'token' of ContainerRegistry.RegistryToken."))
        }
    }

    @Test func `a probe does not take the lack of a field for a sign of a landscape`() throws {
        let url = try #require(URL(string: "https://odd.example/"))
        let answer = ProbeAnswer(head: HTTPResponse(status: .unauthorized), body: [])
        let landscape = try ShippedLandscapes.landscape(named: "ModelContextProtocol")
        let matches = landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: url) }
        #expect(matches.map(\.challenge) == ["no-scheme", "no-scheme"] && !matches.contains(where: \.isCertain))
        let lines = ProbeReport(url: url, answer: answer, matches: matches).lines()
        #expect(
            lines.suffix(2) == [
                "This may be the challenge 'no-scheme' of ModelContextProtocol.MCPService.",
                "The response has too little to tell. To read about one: countersign explain LANDSCAPE.METHOD",
            ])
    }

    @Test(arguments: [
        ("https://cas.example/cas/login?service=https%3A%2F%2Fapp.example%2F", true),
        ("/sso/login?service=https%3A%2F%2Fapp.example%2F&gateway=true", true), ("/login?next=/data", false),
    ])
    func `a redirect to a login page is a challenge with the server that it shows`(location: String, isCertain: Bool) throws {
        let url = try #require(URL(string: "https://app.example/data"))
        let answer = ProbeAnswer(head: HTTPResponse(status: .found, headerFields: [.location: location]), body: [])
        let landscape = try ShippedLandscapes.landscape(named: "CAS")
        let matches = landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: url) }
        #expect(matches.map(\.isCertain) == [isCertain, isCertain])
        let server = try #require(URL(string: location, relativeTo: url)?.absoluteString.split(separator: "/login").first)
        #expect(matches.allSatisfy { $0.says == ["casURL": String(server)] })
        let lines = ProbeReport(url: url, answer: answer, matches: matches).lines()
        if isCertain {
            #expect(
                lines.suffix(3) == [
                    "Each of these methods answers it; they differ in how the user logs in. Next, compare them:",
                    "  countersign explain --landscape CAS CASBrowser", "  countersign explain --landscape CAS CASPassword",
                ])
        } else {
            #expect(lines.last == "The response has too little to tell. To read about one: countersign explain LANDSCAPE.METHOD")
        }
    }

    @Test(arguments: ShippedLandscapes.roots)
    func `a probe recognises the example of each challenge, with the defaults of parameters`(name: String) throws {
        let url = try #require(URL(string: "https://app.example/data"))
        let landscape = try ShippedLandscapes.landscape(named: name)
        // The place of the login page is a value of the application.
        let unknown = ["BrowserLogin.redirected", "FormLogin.redirected"]
        for method in landscape.methods where method.kind != .enrolment {
            for challenge in method.resolved.challenges {
                let challengeName = "\(method.name).\(challenge.name.value)"
                guard let example = challenge.example, !unknown.contains(challengeName) else { continue }
                var head = HTTPResponse(status: .init(code: example.status))
                for field in example.fields {
                    head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(field.name)), value: field.value))
                }
                let answer = ProbeAnswer(head: head, body: Array(example.body.utf8))
                let match = ProbeReport.Match(method, of: landscape, answer: answer, from: url)
                #expect(match?.challenge == challenge.name.value, "\(name).\(challengeName)")
            }
        }
    }

    @Test func `a challenge that a header field with a default name marks is certain`() throws {
        let url = try #require(URL(string: "https://app.example/data"))
        let name = try #require(HTTPField.Name("com.sap.cloud.security.login"))
        let landscape = try ShippedLandscapes.landscape(named: "SAPMobileServices")
        let answer = ProbeAnswer(head: HTTPResponse(status: .ok, headerFields: [name: "login-request"]), body: [])
        let matches = landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: url) }
        #expect(matches.map(\.method) == ["SAML"] && matches.allSatisfy { $0.isCertain && $0.says.isEmpty })
        #expect(
            ProbeReport(url: url, answer: answer, matches: matches).lines().last
                == "Next: countersign explain --landscape SAPMobileServices SAML")
        let other = ProbeAnswer(head: HTTPResponse(status: .ok, headerFields: [name: "something-else"]), body: [])
        #expect(landscape.methods.allSatisfy { ProbeReport.Match($0, of: landscape, answer: other, from: url) == nil })
    }

    @Test func `a server that requires a client certificate is probed by its handshake`() throws {
        let error = TransportError(
            .clientCertificate, detail: "the server demands a client certificate", requestMayHaveBeenProcessed: false)
        let landscapes = try ShippedLandscapes.roots.map(ShippedLandscapes.landscape(named:))
        let problem = ProbeCommand.problem(of: error, answeredBy: landscapes)
        #expect(
            problem.remedy
                == """
                This is a challenge of SAPMobileServices.UserIdentity. To read about it: countersign explain \
                SAPMobileServices.UserIdentity
                """)
        #expect(problem.exit == CommandExit.unavailable && problem.description == error.description)
    }

    @Test func `a redirect elsewhere is no challenge of a login page`() throws {
        let url = try #require(URL(string: "https://app.example/data"))
        for location in ["/moved?service=a", "/login/", "/loginpage?service=a"] {
            let answer = ProbeAnswer(head: HTTPResponse(status: .found, headerFields: [.location: location]), body: [])
            let landscape = try ShippedLandscapes.landscape(named: "CAS")
            #expect(landscape.methods.allSatisfy { ProbeReport.Match($0, of: landscape, answer: answer, from: url) == nil })
        }
    }

    @Test func `a probe of a server without TLS says that no credential is sent`() throws {
        let answer = ProbeAnswer(head: HTTPResponse(status: .init(code: 418)), body: [])
        let url = try #require(URL(string: "http://odd.example/"))
        let lines = ProbeReport(url: url, answer: answer, matches: []).lines()
        #expect(
            lines == [
                "http://odd.example/ answered with status 418.", "The response contains no challenge of a known landscape.",
                "The server does not use TLS. Credentials are sent to such a server only on this machine.",
            ])
    }

    @Test func `an extension of a landscape in a folder is explained`() async throws {
        let place = try CommandBench()
        try FileManager.default.createDirectory(atPath: place.path + "/base", withIntermediateDirectories: true)
        for file in try LandscapeDraft("App", extending: nil).files { try place.write(file.text, to: "base/\(file.name)") }
        try FileManager.default.createDirectory(atPath: place.path + "/own", withIntermediateDirectories: true)
        try place.write("countersign: 2\nlandscape: Mine\nextends: App\nsummary: Mine.\n", to: "own/landscape.yaml")
        let explained = await run(["explain", "--spec", place.path + "/own", "--base", place.path + "/base"])
        #expect(explained.exit == ExitCode(0) && explained.output.hasPrefix("Mine.AppLogin: "))
    }

    @Test func `every method of every landscape is explained in 80 columns`() async throws {
        for name in ShippedLandscapes.names {
            for method in try ShippedLandscapes.landscape(named: name).methods {
                let explained = await run(["explain", "--landscape", name, method.name])
                #expect(explained.exit == ExitCode(0))
                #expect(explained.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name).\(method.name)")
                #expect(explained.output.contains("|"))
            }
        }
        #expect(await run(["explain", "Nothing"]).exit == CommandExit.usage)
    }

    // MARK: Other programs

    @Test func `the password of a token server goes to no other server`() async throws {
        try await MockKeystone.run { mock in
            let place = try CommandBench()
            let url = mock.url.appending(path: "servers")
            let values = [
                "--landscape", "Keystone", "--no-store", "--set", "identityURL=\(mock.identityURL.absoluteString)", "--set",
                "cloud=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
                "password=\(try place.write("wonderland", to: "password"))", "--url", url.absoluteString,
            ]
            let host = "\(url.host() ?? ""):\(url.port ?? 0)"
            for arguments in [["git", "get"], ["docker", "get"]] {
                let recorded = RecordedConsole()
                let said = Lines(arguments[0] == "git" ? ["protocol=http", "host=\(host)", ""] : [host])
                let command = try CountersignCommand.parseAsRoot(["credential-helper"] + arguments + values)
                try? await (command as? CredentialHelperCommand)?.run(console: recorded.console, input: { said.next() })
                #expect(!recorded.output.contains("wonderland"))
            }
        }
    }

    private func helper(_ arguments: [String], says lines: [String]) async throws -> String {
        let recorded = RecordedConsole()
        let said = Lines(lines)
        let command = try #require(
            try CountersignCommand.parseAsRoot(["credential-helper"] + arguments) as? CredentialHelperCommand)
        try await command.run(console: recorded.console, input: { said.next() })
        return recorded.output
    }

    private final class Lines: Sendable {
        private let left: Mutex<[String]>

        init(_ lines: [String]) { left = Mutex(lines) }

        func next() -> String? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    @Test func `git and Docker get a user and a password, for the profile's servers alone`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let place = try CommandBench()
            let values = [
                "--landscape", "Transmission", "--method", "HTTPBasic", "--no-store", "--set", "servers=\(mock.url.absoluteString)",
                "--set", "user=alice", "--set-file", "password=\(try place.write("wonderland", to: "password"))", "--url",
                mock.url.absoluteString,
            ]
            let host = "\(mock.url.host() ?? ""):\(mock.url.port ?? 0)"
            // The server also requires its session ID, which is not part of the password credential.
            let git = try await helper(["git", "get"] + values, says: ["protocol=http", "host=\(host)", ""])
            #expect(git.contains("username=alice\npassword=wonderland\n"))
            let docker = try await helper(["docker", "get"] + values, says: [host])
            #expect(docker.contains(#""Secret":"wonderland""#) && docker.contains(#""Username":"alice""#))
            #expect(docker.contains("\"ServerURL\":\"\(host)\""), "\(docker)")
            #expect(try await helper(["git", "get"] + values, says: ["protocol=https", "host=other.example", ""]) == "")
            // A passphrase, an unknown action, and a server that is not named get no answer.
            #expect(try await helper(["git", "get"] + values, says: ["protocol=cert", "host=", "path=/a", ""]) == "")
            #expect(try await helper(["git", "sotre"] + values, says: ["protocol=http", "host=\(host)", ""]) == "")
            #expect(try await helper(["git", "erase"] + values, says: ["protocol=http", "host=\(host)", ""]) == "")
        }
    }
}
