import CityLibrary
import CountersignTesting
import Foundation

try await MockLandscape.run(
    .cityLibrary, rules: .described
) { mock in
    let session = FoundationSession(transport: Wire())

    let loans = mock.baseURL.appending(path: "loans")
    let (data, _) = try await session.data(from: loans)
    print(String(decoding: data, as: UTF8.self))
}
