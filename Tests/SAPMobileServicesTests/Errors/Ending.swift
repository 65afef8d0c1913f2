import Countersign
import Foundation
import HTTPTypes
import SAPMobileServices
import Testing

/// The result of a scenario: the error that the application received, and the names and secrets for the check of its texts.
struct Ending {
    /// The error that the application received.
    let error: (any Error)?
    /// The names that the texts must contain: the method, and the origin and status code if the failure had them.
    var names: [String] = []
    /// The secrets that no text may contain: passwords, keys, tokens and cookies.
    var secrets: [String] = []
    /// The origin and status code that an event must report; `nil` for an error without a challenged request.
    var trace: Trace?
    /// The events of the session.
    var events: [SessionEvent] = []

    /// The origin and status code of a failed request whose error does not contain them.
    struct Trace {
        let origin: Origin?
        let status: Int
    }

    /// The canaries that scenarios use as secret values, and the password of the mock's user.
    static let canaries = ["c4n4ry", "wonderland"]
}

extension Ending {
    /// Expects the three texts of a localized error, and no secret in any textual form of it.
    func expectUsefulTexts(sourceLocation: SourceLocation = #_sourceLocation) {
        guard let error, let localized = error as? any LocalizedError else {
            Issue.record("no error with texts", sourceLocation: sourceLocation)
            return
        }
        let texts = [localized.errorDescription, localized.failureReason, localized.recoverySuggestion].map { $0 ?? "" }
        for text in texts {
            #expect(!text.isEmpty, "\(error)", sourceLocation: sourceLocation)
            #expect(text.last == "." || text.hasSuffix("]"), "\(text)", sourceLocation: sourceLocation)
            #expect(text.first?.isLowercase != true || text.hasPrefix("http"), "\(text)", sourceLocation: sourceLocation)
        }
        let description = "\(error)"
        #expect(!description.isEmpty, sourceLocation: sourceLocation)
        for name in names {
            #expect("\(description) \(texts[1])".contains(name), "no \(name) in \(description)", sourceLocation: sourceLocation)
        }
        var everything =
            "\(description)\n\(String(reflecting: error))\n\(error.localizedDescription)\n\(texts.joined(separator: "\n"))\n"
        dump(error, to: &everything)
        for secret in secrets + Self.canaries {
            #expect(!everything.contains(secret), "\(secret) in \(everything)", sourceLocation: sourceLocation)
        }
        let query = everything.firstMatch(of: #/[a-z]+://[^\s"]*\?/#)
        #expect(query == nil, "\(everything)", sourceLocation: sourceLocation)
        let credential = everything.firstMatch(of: #/Authorization:|(?:Bearer|Basic) [A-Za-z0-9+\/._=-]{12,}/#)
        #expect(credential == nil, "\(everything)", sourceLocation: sourceLocation)
    }

    /// Expects an event with the method, the origin and the status code of the request that failed.
    func expectTrace(sourceLocation: SourceLocation = #_sourceLocation) {
        guard let trace else { return }
        let code = (error as? any AuthenticationError)?.code ?? (error as? CountersignError)?.code.rawValue
        let event = events.last { event in
            guard case .unanswered(code, trace.status) = event.kind else { return false }
            return true
        }
        #expect(event?.origin == trace.origin, "\(events)", sourceLocation: sourceLocation)
        #expect(event?.requestMethod == .get, sourceLocation: sourceLocation)
        #expect(event?.observer?.isEmpty == false, sourceLocation: sourceLocation)
    }
}
