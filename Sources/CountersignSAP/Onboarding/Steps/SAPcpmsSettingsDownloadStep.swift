internal import Countersign
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Downloads the server's settings for the application's clients, and stores them.
///
/// SAP does not document the URL; the default is an assumption. If the server has no settings at that URL, or none for this
/// application, the flow continues without settings.
public final class SAPcpmsSettingsDownloadStep: OnboardingStep {
    /// The maximum size of the settings in bytes.
    private static let maximumSize = 1 << 20

    private let path: String?

    /// Creates the step.
    ///
    /// - Parameter path: The path of the settings, relative to the server's URL; `nil` for
    ///   `mobileservices/application/APPLICATION/settings`.
    public init(path: String? = nil) { self.path = path }

    /// - Throws: ``OnboardingStepError``; the errors of the session and the store.
    public func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        guard let settings = try await download(context) else { return context }
        try context.credentialStore.put(settings, for: OnboardingKey.settings)
        context.info[.clientSettings] = settings
        return context
    }

    /// Downloads the settings again. If the server fails or cannot be reached, the stored ones are used.
    public func restore(context: OnboardingContext) async throws -> OnboardingContext {
        do {
            return try await onboard(context: context)
        } catch is URLError {
            return context
        } catch OnboardingStepError.validationRefused(let status, _) where status >= 500 {
            return context
        } catch let error as CountersignError where error.code == .timedOut {
            // Also a login or a renewal that has exceeded its time limit, which names its method.
            return context
        } catch let error where error.isOffline {
            return context
        }
    }

    public func reset(context: OnboardingContext) async { try? context.credentialStore.remove(for: OnboardingKey.settings) }

    private func download(_ context: OnboardingContext) async throws -> ClientSettings? {
        let application = context.info[.applicationID] as? String
        guard let path = path ?? application.map({ "mobileservices/application/\($0)/settings" }) else { return nil }
        let url = try context.backendURL().appending(path: path)
        let (data, response) = try await context.sapURLSession.data(for: URLRequest(url: url), upTo: Self.maximumSize)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status != 404, status != 204 else { return nil }
        guard status == 200 else { throw OnboardingStepError.validationRefused(status: status, origin: Origin(url)) }
        guard let data else {
            throw OnboardingStepError.answerTooLarge(limit: Self.maximumSize, origin: Origin(url))
        }
        guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return nil }
        return ClientSettings(json: data)
    }
}
