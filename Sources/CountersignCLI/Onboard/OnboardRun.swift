import Countersign
import CountersignFileStore
import Foundation
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One run of the command. It checks the given and the stored configuration before it changes or sends anything.
struct OnboardRun {
    let command: OnboardCommand
    let console: Console
    let presenter: any WebPresenter
    let barcodes: BarcodeProgram
    /// Asks the user a question; `nil` if there will be no answer.
    let reader: TerminalOnboardingScreens.Reader

    /// The beginning of a run.
    private struct Start {
        let configuration: DiscoveryConfiguration
        /// The source of a new onboarding; `nil` to continue with the stored configuration.
        var source: OnboardSource?
        var isRestored = false
    }

    private static let name = "onboarding"

    /// Onboards or restores, and sends the request.
    func report() async throws -> OnboardReport {
        let folder = command.store.map { URL(filePath: $0) } ?? OnboardStore.defaultFolder()
        let files: EncryptedFileStore
        let kept: KeptOnboarding?
        do {
            files = EncryptedFileStore(folder: folder, key: try OnboardStore.key(file: command.keyFile, folder: folder))
            // A reset deletes the store, so it need not be readable.
            kept = command.reset ? nil : try KeptOnboarding(in: CredentialCodableStore(files, name: Self.name))
        } catch {
            // A mistake in the given source is reported before one of the store.
            if let argument = command.source { try await check(argument) }
            throw error
        }
        let values = CredentialCodableStore(files, name: Self.name)
        let start = try await start(after: kept)
        let request = try OnboardRequest(command.request, at: try Self.checked(start.configuration))
        let trusted = try await trustedOrigins(of: start, server: request.url)
        if command.reset { try await files.clear() }

        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        configuration.session.eventObservers = [PassedOverWarning(for: start.configuration, on: console)]
        let session = SAPURLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let tokens = CredentialTokenStore(files, name: Self.name)
        let flow = flow(from: start, trusting: trusted, tokens: tokens, session: session, values: values)
        if start.source != nil {
            // A new onboarding must not use results of an earlier one that did not complete.
            await flow.reset()
            try tokens.deleteToken(for: request.url)
        }
        return try await report(try await flow.run(), request, isRestored: start.isRestored)
    }

    // MARK: The begin

    private func start(after kept: KeptOnboarding?) async throws -> Start {
        if let kept, let configuration = kept.configuration {
            if kept.isComplete { return restored(configuration) }
            if command.source == nil { return try goingOn(configuration) }
        }
        let source = try await source()
        return Start(configuration: source.configuration, source: source)
    }

    private func restored(_ configuration: DiscoveryConfiguration) -> Start {
        if command.source != nil {
            console.message(
                "Already onboarded at \(Self.server(of: configuration)): the given source is not used. '--reset' starts over.")
        }
        return Start(configuration: configuration, isRestored: true)
    }

    private func goingOn(_ configuration: DiscoveryConfiguration) throws -> Start {
        console.message("Continuing the incomplete onboarding. Give a configuration to start over.")
        console.message("Server: \(Self.server(of: configuration))")
        return Start(configuration: configuration)
    }

    private func source() async throws -> OnboardSource {
        if let argument = command.source { return try await OnboardSource.read(argument, barcodes: barcodes) }
        let answered = Answer()
        let screens = TerminalOnboardingScreens(
            reader: reader, write: write,
            answerReader: { answer in
                let source = try await OnboardSource.read(answer, barcodes: barcodes)
                _ = try Self.checked(source.configuration)
                await answered.set(source)
                return source.inputs
            })
        do {
            _ = try await screens.makeWelcomeScreen().requestConfiguration(after: nil)
        } catch is CancellationError {
            throw CommandProblem(
                "No configuration was given.", remedy: "Give a link, a file or a picture of a QR code: countersign onboard FILE.",
                exit: CommandExit.noInput)
        }
        guard let source = await answered.source else {
            throw CommandProblem("No configuration was given.", exit: CommandExit.noInput)
        }
        return source
    }

    /// Throws if the command cannot onboard with a source.
    private func check(_ argument: String) async throws {
        _ = try Self.checked(try await OnboardSource.read(argument, barcodes: barcodes).configuration)
    }

    private actor Answer {
        private(set) var source: OnboardSource?
        func set(_ source: OnboardSource) { self.source = source }
    }

    /// Returns the server of a configuration, and throws if the command cannot onboard with the configuration.
    private static func checked(_ configuration: DiscoveryConfiguration) throws -> URL {
        let methods = configuration.authentication
        // The old flat format names no methods and implies OAuth 2.0.
        guard methods.isEmpty || methods.contains(.oauth2) else {
            throw CommandProblem(
                "The server uses an authentication method other than OAuth 2.0.",
                remedy: "This command supports only OAuth 2.0; an application can use other methods.", exit: CommandExit.badData)
        }
        let values = try configuration.afterPasscodeExchange().values()
        _ = try OAuth2AuthenticationParameters(configuration: values)
        guard let server = values.baseURL else { throw ConfigurationError.missingKey("host", source: values.source) }
        return server
    }

    /// Returns the origins besides the server's to which the configuration may send credentials: those that the command line
    /// names, and those that the user confirms. A stored configuration was confirmed before.
    private func trustedOrigins(of start: Start, server: URL) async throws -> Set<Origin> {
        guard let source = start.source else { return [] }
        let trusted = Set(command.trust)
        let others = try source.configuration.credentialOrigins.filter {
            $0.origin != Origin(server) && !trusted.contains($0.origin)
        }
        guard !others.isEmpty else { return trusted }
        let screens = TerminalOnboardingScreens(reader: reader, write: write)
        guard try await screens.confirmOrigins(others, besides: server, from: source.name) else {
            let error = OnboardingStepError.originsNotConfirmed(others, server: Origin(server), source: source.name)
            throw CommandProblem(
                error.failureReason ?? error.description,
                remedy: """
                    Check where the configuration comes from. If the origins are right, answer 'yes' in a terminal, or name each with \
                    '--trust'. Nothing was sent or changed.
                    """)
        }
        return trusted.union(others.map(\.origin))
    }

    private static func server(of configuration: DiscoveryConfiguration) -> String {
        (try? configuration.values().baseURL).flatMap { Origin($0) }.map { "\($0)" } ?? "unknown"
    }

    // MARK: The flow

    private func flow(
        from start: Start, trusting origins: Set<Origin>, tokens: CredentialTokenStore, session: SAPURLSession,
        values: CredentialCodableStore
    ) -> OnboardingFlow {
        let steps: [any OnboardingStep] = [
            WelcomeScreenStep(
                transformer: DiscoveryServiceConfigurationTransformer(applicationID: command.applicationID),
                providers: start.source.map { [$0.provider] } ?? [], trustedOrigins: origins),
            CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
            OAuth2AuthenticationStep(tokenStore: tokens),
        ]
        let context = OnboardingContext(
            sapURLSession: session, credentialStore: values, screens: TerminalOnboardingScreens(reader: { _ in nil }, write: write))
        return OnboardingFlow(steps: steps, context: context) { progress in
            if progress.phase != .done { console.progress("\(progress.number)/\(progress.count) \(progress.step)") }
        }
    }

    private func write(_ line: String) {
        console.clearProgress()
        console.message(VisibleText.escaped(line))
    }

    private func report(_ context: OnboardingContext, _ request: OnboardRequest, isRestored: Bool) async throws -> OnboardReport {
        let (data, response) = try await context.sapURLSession.data(from: request.url)
        return OnboardReport(
            server: Origin(request.url).map { "\($0)" } ?? "unknown", applicationID: context.info[.applicationID] as? String,
            method: AuthenticationType.oauth2.rawValue, restored: isRestored, path: request.path,
            status: (response as? HTTPURLResponse)?.statusCode ?? 0, bytes: data.count)
    }
}
