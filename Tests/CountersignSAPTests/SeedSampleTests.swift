import CountersignSAP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of the seeds that need a session alone, as they are printed, with their placeholders filled in. That they compile is half
/// of what they prove.
@Suite(.timeLimit(.minutes(10)))
struct SeedSampleTests {
    @Test func `the logout sample runs`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)

        let logoutURL = URL(string: "https://localhost:1/mobileservices/sessions/logout")!
        var logoutRequest = URLRequest(url: logoutURL)
        logoutRequest.httpMethod = SAPURLSession.HTTPMethod.post

        let sapURLSession = SAPURLSession()  // Must be a SAPURLSession with the same cookie store that is used for authentication!
        let logoutTask = sapURLSession.dataTask(with: logoutRequest) { data, response, error in
            // Process response
            end.yield(error)
            end.finish()
        }
        logoutTask.taskDescription = "SAPcpms logout request"
        logoutTask.resume()

        var iterator = ends.makeAsyncIterator()
        let error = await iterator.next() ?? nil
        #expect((error as? URLError)?.code == .cannotConnectToHost)
        #expect(logoutTask.originalRequest?.httpMethod == "POST")
    }

    @Test func `the sample with await runs`() async throws {
        let session = SAPURLSession()
        let outcome = Task {
            do {
                let request = URLRequest(url: URL(string: "http://localhost:1/")!)
                let result = try await session.data(for: request)
                // Handle the data and response
                return result.0.count
            } catch {
                // Handle the error
                return -1
            }
        }
        #expect(await outcome.value == -1)
    }
}
