internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StepRunner {
    /// Computes the value of a slot, and notes what it was computed from.
    mutating func compute(_ slot: Int, _ function: ProgramFunction) async throws {
        // A hash of a server's value, or a token that is signed for it, is the client's own.
        if function.keepsValues, function.uses(Array(issued)) { issued.insert(slot) } else { issued.remove(slot) }
        switch function {
        case .random:
            fill(slot, .text(RandomText.make()))
            noteGeneration()
        case .signingKey:
            values[slot] = .secret(P256.Signing.PrivateKey().pemRepresentation)
            noteGeneration()
        case .value(let other): copy(other, to: slot)
        case .certificate(let function):
            guard let certificates else {
                throw CountersignError(.invalidRequest, detail: "no module that makes keys and certificates is linked")
            }
            values[slot] = try certificates.value(of: function, values)
            report(.ran(step: function.word))
        case .time(let format, let clock):
            values[slot] = .text(format.text(Date(), clock, values))
            noteMomentary(slot, of: [])
            report(.ran(step: "compute"))
        case .digest(let digest):
            fill(slot, try digest.text(values).map { .text($0) } ?? .absent)
            noteMomentary(slot, of: digest.templates.flatMap(\.slots))
            if function.uses(asked) { asked.append(slot) }
            report(.ran(step: "compute"))
        case .derive(let derivation):
            values[slot] = .givenSecret(try await derivation.text(values))
            noteMomentary(slot, of: derivation.templates.flatMap(\.slots))
            if function.uses(asked) { asked.append(slot) }
            report(.ran(step: "compute"))
        case .part(let part):
            fill(slot, try part.part(values).map { .text($0) } ?? .absent)
            noteMomentary(slot, of: part.templates.flatMap(\.slots))
            if function.uses(asked) { asked.append(slot) }
            report(.ran(step: "compute"))
        case .thumbprint(let key):
            values[slot] = try thumbprint(of: key)
            // The key can be a new one in each run, which must not make a refused login another one.
            noteMomentary(slot, of: key.slots)
            if function.uses(asked) { asked.append(slot) }
            report(.ran(step: "compute"))
        case .token(let token):
            values[slot] = .givenSecret(try await token.token(values, of: method))
            // Each token is another one, which must not make a refused login another one.
            noteMomentary(slot, of: values.indices.filter { token.uses([$0]) })
            if function.uses(asked) { asked.append(slot) }
            report(.ran(step: "compute"))
        case .join(let texts): fillComputed(slot, .text(texts.compactMap { $0.text(values) }.joined()), by: function)
        case .encode(let texts, as: let encoding):
            let text = texts.compactMap { $0.text(values) }.joined()
            fillComputed(slot, .text(encoding.text(Array(text.utf8))), by: function)
        case .scopes(let texts): fillComputed(slot, .given(ProgramFunction.distinctScopes(of: texts, values)), by: function)
        case .json(let json): fillComputed(slot, json.text(values).map { .json($0) } ?? .absent, by: function)
        case .merge(let objects): fillComputed(slot, try merged(objects), by: function)
        case .same(let texts): fillComputed(slot, .given(areSame(texts)), by: function)
        case .totp(let key): fillComputed(slot, try passcode(of: key), by: function)
        }
    }

    /// Fills a slot. A request with the value is a login with the values that it was computed from.
    private mutating func fillComputed(_ slot: Int, _ value: ProgramValue, by function: ProgramFunction) {
        fill(slot, value)
        computed.append(slot)
        if function.onlyCombines, !method.program.slots[slot].isSecret { combined.insert(slot) }
        if function.uses(asked) { asked.append(slot) }
        switch function {
        // Joining only combines the values of other steps, so it is not reported.
        case .join, .encode: break
        default: report(.ran(step: "compute"))
        }
    }

    private mutating func copy(_ other: Int, to slot: Int) {
        // A store saves only texts.
        let isStored = method.program.slots[slot].source == .credential
        if isStored, case .url(let url) = values[other] {
            values[slot] = .text(url.absoluteString)
        } else {
            fill(slot, values[other])
        }
        // A login with the copy is a login with its original, for example with an answer of the application.
        noteMomentary(slot, of: [other])
        if asked.contains(other) { asked.append(slot) }
    }

    /// Notes that the value of a slot belongs to this run, and the slots that it was computed from.
    private mutating func noteMomentary(_ slot: Int, of parts: [Int]) {
        momentary[slot] = Set(parts).union(parts.flatMap { momentary[$0] ?? [] })
    }

    /// Reports consecutively generated values as one step, since one step of a spec can generate several.
    private mutating func noteGeneration() {
        if !isGenerating { report(.ran(step: "generate")) }
        isGenerating = true
    }

    private func merged(_ objects: [JSONTemplate]) throws -> ProgramValue {
        let trees = try objects.compactMap { object -> JSONTree? in
            let text = if case .text(let template) = object { template.text(values) } else { object.text(values) }
            guard let text else { return nil }
            guard let tree = JSONTree(Array(text.utf8)), case .object = tree else {
                throw CountersignError(.unusableChallenge, detail: "a value that a server sent is not a JSON object")
            }
            return tree
        }
        return .text(trees.reduce(JSONTree.object([:])) { $0.merged(with: $1) }.json)
    }

    private func areSame(_ texts: [ProgramTemplate]) -> Bool {
        let found = texts.map { $0.text(values).map { Array($0.utf8) } }
        return found.allSatisfy { $0 != nil && $0 == found[0] }
    }

    private func thumbprint(of key: ProgramTemplate) throws -> ProgramValue {
        guard let hash = key.text(values).flatMap(ProofOfPossession.thumbprint) else {
            throw CountersignError(.invalidRequest, detail: "the key whose hash is sent is not a private key in PEM on P-256")
        }
        return .text(hash)
    }

    private func passcode(of key: ProgramTemplate) throws -> ProgramValue {
        guard let key = key.text(values), let passcode = OneTimePasscode.passcode(for: key, at: Date()) else {
            throw CountersignError(.credentialMissing, detail: "the key of the one-time passcodes is not valid Base32")
        }
        return .secret(passcode)
    }
}
