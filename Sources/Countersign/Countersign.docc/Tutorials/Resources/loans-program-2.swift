import CityLibrary
import CountersignTesting
import Foundation

try await MockLandscape.run(
    .cityLibrary, rules: .described
) { mock in
    var configuration = FoundationSession.Configuration()
    configuration.presenter = FormFillingPresenter(
        user: "alice", password: "wonderland")
    let session = FoundationSession(
        configuration: configuration, transport: Wire())

    let settings = CityLibrarySettings(serverURL: mock.baseURL)
    session.register(
        LibraryLoginObserver(settingsParameters: settings))

    let loans = mock.baseURL.appending(path: "loans")
    let (data, _) = try await session.data(from: loans)
    print(String(decoding: data, as: UTF8.self))
}
