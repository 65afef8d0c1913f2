import HTTPTypes

/// A server with injected faults and gates.
struct FaultySite: Sendable {
    let faults: FaultPlan
    let gates: MockGates

    /// Answers a request, after the gates, and with its fault if it has one.
    ///
    /// - Parameters:
    ///   - endSession: Ends the session of the request.
    ///   - challenge: Returns a challenge, whatever the request carries.
    ///   - answer: Returns the response without a fault.
    func respond(
        to request: MockRequest, endingSession endSession: () -> Void, challenge: () -> MockResponse,
        answer: (MockRequest) async -> MockResponse
    ) async -> MockResponse {
        await gates.pass(request.path)
        let fault = faults.next(for: request.path)
        switch fault {
        case nil, .contentType, .truncatedBody, .body: break
        case .delay(let duration): try? await Task.sleep(for: duration)
        case .connectionReset: return MockResponse(status: .ok).delivered(.reset)
        case .status(let code): return .text("injected\n", status: HTTPResponse.Status(code: code))
        case .expiredSession: endSession()
        case .challenge: return challenge()
        case .endlessBody: return MockResponse.text("", status: .ok).delivered(.endless)
        case .redirectLoop: return .redirect(to: request.path + (request.query.map { "?" + $0 } ?? ""))
        case .redirect(let location): return .redirect(to: location)
        }
        var response = await answer(request)
        switch fault {
        case .contentType(let type): response.fields[.contentType] = type
        case .truncatedBody: response.delivery = .truncated
        case .body(let text): response.body = Array(text.utf8)
        default: break
        }
        return response
    }
}

extension MockResponse {
    fileprivate func delivered(_ delivery: Delivery) -> MockResponse {
        var response = self
        response.delivery = delivery
        return response
    }
}
