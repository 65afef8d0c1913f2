import Countersign
import Foundation
import HTTPTypes

/// The draft of a spec for a server whose challenge no landscape recognises. It is a valid spec that must be completed.
struct SpecDraft {
    /// The spec of a method, after a comment with the content of its landscape's file.
    let text: String

    /// - Returns: `nil` if the response cannot be a challenge, or if a credential would be sent unencrypted.
    init?(_ answer: ProbeAnswer, from url: URL) {
        guard answer.isRefusal, Origin(url)?.isPrivate == true else { return nil }
        if let offer = answer.offers().first {
            text = Self.scheme(offer, answer, url)
        } else if (300..<400).contains(answer.head.status.code), let location = answer.head.headerFields[.location] {
            let page = URL(string: location, relativeTo: url).flatMap { Origin($0.absoluteURL) }
            guard page?.isPrivate ?? true else { return nil }
            text = Self.page(location, answer, url)
        } else {
            text = Self.status(answer, url)
        }
    }

    /// Returns the beginning of a draft.
    ///
    /// - Parameter values: The options that give values to the draft's parameters.
    private static func header(_ values: String, _ url: URL) -> String {
        """
        # Put this into a folder, beside a file 'landscape.yaml' with:
        #   countersign: 2
        #   landscape: Mine
        #   summary: What it is.
        # Then:
        #   countersign lint FOLDER
        #   countersign request --spec FOLDER \(values) \(url.absoluteString.shellWord)
        countersign: 2
        method: Login
        summary: A login. This is a draft.


        """
    }

    /// The option with the server of the response.
    private static func server(_ name: String, _ url: URL) -> String {
        "--set \(name)=\(Origin(url).map { "\($0)" } ?? "https://api.example")"
    }

    /// Returns the draft for a challenge with a scheme. A comment shows how to capture each parameter of the challenge.
    private static func scheme(_ offer: AuthenticationChallenge, _ answer: ProbeAnswer, _ url: URL) -> String {
        let names = offer.parameters.keys.filter { name in
            name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic) }
        }.sorted()
        let known = names.map { "#   to capture the parameter '\($0)':  capture: { \($0): { parameter: \($0) } }\n" }.joined()
        return header(server("servers", url), url) + """
            parameters:
              servers: { type: origins, summary: The servers that may receive the credential. }

            challenge:
              - name: unauthorized
                status: \(answer.head.status.code)
                www-authenticate: \(offer.scheme)
            \(known)

            """ + token(sentBy: offer.scheme)
    }

    /// Returns the part of a draft that asks the application for a token.
    private static func token(sentBy scheme: String) -> String {
        """
        credential:
          fields:
            token: { type: secret, summary: The token that authenticates requests. }
          for: ["{servers}"]

        # Or 'http' steps that fetch it: 'countersign new NAME' writes a spec with such a
        # step.
        acquire:
          - prompt:
              fields:
                token: { type: secret, summary: The token that authenticates requests. }

        attach:
          - headers: { Authorization: "\(scheme) {credential.token}" }

        rejected:
          - { then: [acquire], retry: 1 }

        """
    }

    /// Returns the draft for a redirect to a login page.
    private static func page(_ location: String, _ answer: ProbeAnswer, _ url: URL) -> String {
        let target = URL(string: location, relativeTo: url)?.absoluteURL
        let start = target.flatMap { target in Origin(target).map { "\($0)\(target.path(percentEncoded: true))" } } ?? location
        let prefix = location.hasPrefix("http") ? start : String(location.prefix { $0 != "?" })
        return header("\(server("server", url)) --set doneURL=…", url) + """
            parameters:
              server: { type: url, summary: The server. }
              doneURL: { type: url, summary: The URL that the login page redirects to at the end. }

            challenge:
              - name: page
                status: \(answer.head.status.code)
                headers: { Location: { prefix: "\(prefix.escapedForYAML)" } }

            credential:
              cookies: private
              for: ["{server}"]

            acquire:
              - present: { open: "\(start.escapedForYAML)", ends-at: "{doneURL}" }

            rejected:
              - { then: [acquire], retry: 1 }

            """
    }

    /// Returns the draft for a status code without a scheme, with the code of a JSON body if it has one.
    private static func status(_ answer: ProbeAnswer, _ url: URL) -> String {
        let status = answer.head.status.code
        let challenge =
            if let code = RefusalCode(in: answer.body) {
                """
                # All of these conditions must hold.
                challenge:
                  - name: refused
                    status: \(status)
                    json: { \(code.pointer): \(code.scalar) }
                """
            } else {
                """
                # Other responses may have this status, too: add what distinguishes this one.
                challenge:
                  - { name: refused, status: \(status) }
                """
            }
        return header(server("servers", url), url) + """
            parameters:
              servers: { type: origins, summary: The servers that may receive the credential. }

            \(challenge)


            """ + token(sentBy: "Bearer")
    }
}

extension String {
    /// The text for a double-quoted string in YAML, with escaped braces so that it contains no references, and without the characters
    /// that a terminal obeys.
    fileprivate var escapedForYAML: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "{", "}": text += "\(scalar)\(scalar)"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: continue
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}
