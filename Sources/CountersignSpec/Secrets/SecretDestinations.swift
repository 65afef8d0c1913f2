/// The servers to which the secrets of a method can go, for a review of its spec.
///
/// They are derived from the model that the runtime executes: from the requests that the steps send and from the requests that
/// carry the credential.
package struct SecretDestinations: Sendable {
    /// A secret that the application gives, a server sends, or a step makes.
    package struct Secret: Sendable {
        /// The name as in references: `password`, or `credential.token`.
        package let name: String
        package let source: ResolvedProgram.Slot.Source
        /// The other values that contain the secret, such as a field of the credential that is set from it.
        package let copies: [String]
        /// The requests that have the secret, or something that is computed from it; empty if none has.
        package var places: [Place]

        /// Whether a request has the secret itself.
        package var leaves: Bool { places.contains { $0.form == .itself } }
    }

    /// The form of a secret in a request.
    package enum Form: String, Sendable, Hashable, CaseIterable {
        /// The secret, perhaps as a part of a text, or encoded.
        case itself
        case hash
        case authenticationCode = "authentication-code"
        case passcode
        case signature
        case thumbprint
        /// The certificate of a client identity, and the signature of a TLS handshake.
        case certificate
    }

    /// The part of a request with a secret.
    package struct Part: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case path, header, query, form, json, xml, body, handshake, cookies
            /// The client's authentication at an authorization server: in a header field or in the form.
            case client
            /// A page or a prompt that the user sees.
            case user
        }

        package let kind: Kind
        /// The name of the header field, of the query item or of the form's field, or the JSON pointer; `nil` for other parts.
        package var name: ResolvedProgram.Template?

        init(_ kind: Kind, _ name: ResolvedProgram.Template? = nil) {
            self.kind = kind
            self.name = name
        }

        static func header(_ name: String) -> Part { Part(.header, ResolvedProgram.Template(pieces: [.text(name)])) }

        static func query(_ name: String) -> Part { Part(.query, ResolvedProgram.Template(pieces: [.text(name)])) }
    }

    /// A request.
    package enum Request: Sendable, Hashable {
        /// One that a step sends.
        case step(ResolvedProgram.Call.Method, ResolvedProgram.Template)
        /// A page that a browser opens.
        case page(ResolvedProgram.Template)
        /// The application's own requests.
        case application
    }

    /// An origin to which a request is limited.
    package enum Origin: Sendable, Hashable {
        /// An origin that the spec states, such as `https://login.example`.
        case literal(String)
        /// The origin of a parameter's URL, or a parameter's origins: `{endpoint}`.
        case parameter(String)
        /// The server whose challenge is answered.
        case challenging
        /// The first server that receives a request of the application.
        case requested
        /// The servers that set the cookies, by the rules for cookies (RFC 6265).
        case ofCookies
        /// Any server: nothing limits the value with this name.
        case anywhere(String)
    }

    /// A section of the steps.
    package enum Section: String, Sendable, Hashable, CaseIterable {
        case acquire, renew, end
    }

    /// The number of a step: `2.1` is the first of the steps that the second one repeats.
    package struct StepNumber: Sendable, Hashable {
        package let section: Section
        package let number: String
    }

    /// A part of a request that has a secret.
    package struct Place: Sendable, Hashable {
        package let form: Form
        package let part: Part
        package let request: Request
        /// The only origins that receive the request.
        package let origins: [Origin]
        /// The steps that send it; empty for the application's requests.
        package fileprivate(set) var steps: [StepNumber]

        /// Whether the places differ only in their steps.
        fileprivate func isLike(_ other: Place) -> Bool {
            form == other.form && part == other.part && request == other.request && origins == other.origins
        }
    }

    /// In the order of the parameters, the challenges, the credential and the steps.
    package let secrets: [Secret]
}

extension SecretDestinations {
    /// Finds the secrets of a method, and where they go.
    package init(_ program: ResolvedProgram) {
        let sent = SentContents(program).all
        let flow = SecretFlow(program)
        let secrets = flow.secrets.map { slot -> Secret in
            let reached = flow.reached(from: slot)
            var places: [Place] = []
            for item in sent {
                for form in Form.allCases where reached[item.content.slot]?.contains(form) == true {
                    let place = Place(
                        form: form == .itself ? item.content.form : form, part: item.part, request: item.request,
                        origins: item.origins, steps: [item.step].compactMap(\.self))
                    if let index = places.firstIndex(where: place.isLike) {
                        let known = places[index].steps
                        places[index].steps = known + place.steps.filter { !known.contains($0) }
                    } else {
                        places.append(place)
                    }
                }
            }
            let copies = flow.copies(of: slot).subtracting([slot]).sorted().map(program.reference)
            return Secret(
                name: program.reference(slot), source: program.slots[slot].source, copies: copies,
                // The secret itself first.
                places: places.filter { $0.form == .itself } + places.filter { $0.form != .itself })
        }
        self.secrets = secrets + program.sessionCookies
    }
}

extension ResolvedProgram {
    /// Returns the name of a value as in references.
    func reference(_ slot: Int) -> String {
        let name = slots[slot].name.value
        return switch slots[slot].source {
        case .parameter, .step: name
        case .challenge: "challenge.\(name)"
        case .credential: "credential.\(name)"
        }
    }

    /// The session's own cookies, if they are the credential; they have no slot.
    fileprivate var sessionCookies: [SecretDestinations.Secret] {
        guard credential.isSessionCookies else { return [] }
        let place = SecretDestinations.Place(
            form: .itself, part: .init(.cookies), request: .application, origins: [.ofCookies], steps: [])
        return [SecretDestinations.Secret(name: "credential.cookies", source: .credential, copies: [], places: [place])]
    }
}
