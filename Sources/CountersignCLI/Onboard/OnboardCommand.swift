import ArgumentParser
import Countersign
import CountersignBrowser
import CountersignFileStore
import Foundation
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Goes from a configuration to the first authenticated request, and keeps what it got.
struct OnboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onboard",
        abstract: "Onboards at a server of SAP Mobile Services: from a link, a file or a QR code to an authenticated request.",
        discussion: """
            The first run logs in, in the browser of this machine, and keeps configuration and tokens in encrypted files. Later runs need \
            no argument and ask nothing while the tokens can be renewed. The client's redirect URL has to be one of this machine, such as \
            http://127.0.0.1/callback.

            Without '--key-file' the key of the files is kept by the desktop's Secret Service, or by the Keychain.

            Examples: countersign onboard --mock
                      countersign onboard configuration.json --key-file ~/.config/countersign/key --json
            """)

    @Argument(help: "A link with 'config=', a configuration as JSON or property list, or a picture of its QR code.")
    var source: String?

    @Option(help: ArgumentHelp("Where to keep what was got.", valueName: "folder"))
    var store: String?

    @Option(help: ArgumentHelp("A file with the key of the store: 32 random bytes, as they are or in Base64.", valueName: "file"))
    var keyFile: String?

    @Option(name: .customLong("application-id"), help: "The application's identifier, if the configuration has none.")
    var applicationID: String?

    @Option(help: ArgumentHelp("What to get in the end, relative to the server's address.", valueName: "path"))
    var request = "/"

    @Flag(help: "Forget what is kept, and onboard anew.")
    var reset = false

    @Flag(help: "Show it at a mock of SAP Mobile Services on this machine: onboard from nothing, then restore.")
    var mock = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    func validate() throws {
        guard !mock || (source == nil && store == nil && keyFile == nil && !reset) else {
            throw ValidationError("'--mock' has a configuration, a store and a key of its own.")
        }
    }

    func run() async throws {
        if mock { return try await OnboardRehearsal(command: self, console: .standard).run() }
        try await run(console: .standard, presenter: LoopbackPresenter(), barcodes: BarcodeProgram())
    }

    func run(console: Console, presenter: any WebPresenter, barcodes: BarcodeProgram) async throws {
        do {
            let report = try await onboard(console: console, presenter: presenter, barcodes: barcodes)
            console.clearProgress()
            let line = report.line()
            console.output.print(json ? try report.json() : console.output.styled(line, report.ok ? .green : .red))
            if !report.ok { throw CommandExit.failed }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            console.clearProgress()
            console.messages.print(console.messages.styled("error:", .red) + " \(Self.text(of: error))")
            throw Self.exit(for: error)
        }
    }

    private func onboard(
        console: Console, presenter: any WebPresenter, barcodes: BarcodeProgram
    ) async throws -> OnboardReport {
        let folder = store.map { URL(filePath: $0) } ?? OnboardStore.defaultFolder()
        let files = EncryptedFileStore(folder: folder, key: try OnboardStore.key(file: keyFile, folder: folder))
        if reset { try await files.clear() }
        let values = CredentialCodableStore(files, name: "onboarding")

        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        let session = SAPURLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let context = OnboardingContext(
            sapURLSession: session, credentialStore: values, screens: screens(on: console, barcodes: barcodes))

        let isRestored = try RestoringFlow(steps: [], context: context).isOnboarded()
        if isRestored, source != nil { console.messages.print("Already onboarded; '--reset' begins anew.") }
        var providers: [any ConfigurationProviding] = []
        if let source, !isRestored {
            let provider = try await OnboardSource.provider(for: source, barcodes: barcodes)
            // What was given and is no configuration is an error, and no reason to ask for another.
            _ = try ConfigurationLoader(providers: [provider]).loadConfiguration()
            providers.append(provider)
        }
        providers.append(JSONConfigurationProvider())
        providers.append(URLConfigurationProvider())

        let steps: [any OnboardingStep] = [
            WelcomeScreenStep(
                transformer: DiscoveryServiceConfigurationTransformer(applicationID: applicationID), providers: providers),
            MethodCheckStep(),
            CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
            OAuth2AuthenticationStep(tokenStore: CredentialTokenStore(files, name: "onboarding")),
        ]
        let flow = OnboardingFlow(steps: steps, context: context) { progress in
            if progress.phase != .done { console.progress("\(progress.number)/\(progress.count) \(progress.step)") }
        }
        return try await report(try await flow.run(), isRestored: isRestored)
    }

    private func screens(on console: Console, barcodes: BarcodeProgram) -> TerminalOnboardingScreens {
        let hasPerson = isatty(STDIN_FILENO) == 1 && console.messages.isTerminal
        return TerminalOnboardingScreens(
            reader: { prompt in hasPerson ? try await TerminalOnboardingScreens.readStandardInput(prompt) : nil },
            write: { line in
                console.clearProgress()
                console.messages.print(line)
            }, barcodeReader: { try await barcodes.read($0) })
    }

    private func report(_ context: OnboardingContext, isRestored: Bool) async throws -> OnboardReport {
        let backend = try context.backendURL()
        let (data, response) = try await context.sapURLSession.data(from: backend.appending(path: request))
        return OnboardReport(
            server: Origin(backend).map { "\($0)" } ?? "unknown", applicationID: context.info[.applicationID] as? String,
            method: AuthenticationType.oauth2.rawValue, restored: isRestored, path: request,
            status: (response as? HTTPURLResponse)?.statusCode ?? 0, bytes: data.count)
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case OnboardingError.cancelled(let step): "cancelled at \(step): give a link, a file or a picture of a QR code"
        case OnboardingError.stepFailed(_, let error as OnboardProblem): error.description
        case let error as OnboardProblem: error.description
        case let error as ConfigurationLoadingError: error.description
        case let error as any AuthenticationError: error.description
        case let error as CountersignError: error.description
        case let error as CredentialStoreError where error.code == .keyUnavailable:
            "\(error.description) Without a Secret Service, give '--key-file' a file with 32 random bytes: openssl rand -base64 32."
        case let error as CredentialStoreError: error.description
        // What others say is not known to hold no secret.
        default: "\(type(of: error))"
        }
    }

    private static func exit(for error: any Error) -> ExitCode {
        switch error {
        case OnboardingError.stepFailed(_, let error as OnboardProblem): error.exit
        case OnboardingError.stepFailed(_, is ConfigurationLoadingError): CommandExit.badData
        case OnboardingError.stepFailed(_, is ConfigurationError): CommandExit.badData
        case is ConfigurationLoadingError: CommandExit.badData
        case OnboardingError.cancelled: CommandExit.noInput
        case let error as OnboardProblem: error.exit
        default: CommandExit.failed
        }
    }
}

/// Says before the login that the configuration wants a method that the command does not have.
private final class MethodCheckStep: OnboardingStep {
    func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        let methods = try context.configuration().authentication
        // The old flat form names none, and is OAuth 2.0's.
        guard methods.isEmpty || methods.contains(.oauth2) else {
            throw OnboardProblem("The server authenticates by another method than OAuth 2.0.", exit: CommandExit.badData)
        }
        return context
    }

    func restore(context: OnboardingContext) async throws -> OnboardingContext { context }
}
