// An application in SwiftUI, as the guide "Apps for iOS and macOS" shows it: type-checked by `.ci/apple` together with
// Tests/SnippetTests/AppSnippets.swift, never run.

import CountersignFileStore
import CountersignFoundation
import CountersignWebKit
import SwiftUI

// snippet: store
/// Credentials in files that no backup contains, with their key in the
/// Keychain of this device.
func credentialStore() throws -> any CredentialStore {
    var folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask,
        appropriateFor: nil, create: true
    ).appending(path: "com.example.journal", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
    return EncryptedFileStore(
        folder: folder.appending(path: "credentials"),
        key: KeychainKeySource(
            service: "com.example.journal", account: "credentials"))
}
// end

// snippet: app
@main struct JournalApp: App {
    @State private var model = JournalModel(journal())

    var body: some Scene {
        WindowGroup { JournalView(model: model) }
    }
}

/// The journal of the app, with the system's login window.
@MainActor func journal() -> Journal {
    Journal(
        api: setting("JournalAPI"), issuer: setting("JournalIssuer"),
        clientID: "journal", redirectURL: setting("JournalRedirect"),
        presenter: ASWebAuthenticationSessionPresenter(
            callbackURLScheme: "com.example.journal"),
        store: (try? credentialStore()) ?? MemoryCredentialStore())
}

/// A URL of `Info.plist`. A UI test can give another one.
func setting(_ name: String) -> URL {
    var text = Bundle.main.object(forInfoDictionaryKey: name) as? String
    #if DEBUG
    text = ProcessInfo.processInfo.environment[name] ?? text
    #endif
    guard let text, let url = URL(string: text) else {
        preconditionFailure("\(name) in Info.plist is not a URL")
    }
    return url
}
// end

// snippet: view
struct JournalView: View {
    let model: JournalModel

    var body: some View {
        VStack {
            if let problem = model.problem {
                Text(problem.title).bold()
                if let advice = problem.advice { Text(advice) }
            }
            if let user = model.user {
                Text("Signed in as \(user.name ?? user.sub)")
                Text(model.page ?? "")
                Button("Read") { Task { await model.load() } }
                Button("Log out") { Task { await model.logOut() } }
            } else {
                Button("Sign in") { Task { await model.load() } }
            }
        }
        .disabled(model.isBusy)
        .task { await model.restore() }
    }
}
// end

// snippet: preview
struct JournalPreviews: PreviewProvider {
    static var previews: some View {
        JournalView(
            model: JournalModel(
                journal(), user: User(sub: "1", name: "Alice"),
                page: "It rained all day."))
    }
}
// end
