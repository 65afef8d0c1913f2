import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignIdentity
import CountersignSpec
import Foundation

/// Answers the prompts of a method with the values of the profile and, if they are missing or were refused, with the user's
/// input.
struct ClientPrompter: ProgramPrompting {
    let method: String
    let program: ResolvedProgram
    let profile: Profile
    /// The terminal of the user; `nil` if there is none.
    let terminal: Terminal?

    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let prompted = program.prompts[number]
        // Values that the server has refused are not sent again.
        var values = prompt.refusals == 0 ? try await given(prompted) : [:]
        let missing = program.asked(prompted).filter { values[$0.slot] == nil }
        if !missing.isEmpty { try await ask(for: missing, prompt, into: &values) }
        return prompted.compactMap { values[$0.slot] }
    }

    /// Asks the user for values, by slot.
    private func ask(
        for missing: [ResolvedProgram.PromptField], _ prompt: CredentialPrompt, into values: inout [Int: ProgramValue]
    ) async throws {
        guard let terminal, !missing.contains(where: { $0.type == .identity }) else {
            let names = missing.map { "'\(program.slots[$0.slot].name.value)'" }.joined(separator: " and ")
            guard prompt.refusals == 0 else {
                throw CommandProblem(
                    "\(prompt.origin) has refused the login of \(method) with the given \(names).",
                    remedy: "Check the values\(terminal == nil ? "; in a terminal, the command asks for others" : "").",
                    exit: CommandExit.refused)
            }
            throw CommandProblem(
                "\(method) asks for \(names), but no value was given and there is no terminal to ask in.",
                remedy: "Give \(Self.options(for: missing)), or under 'values' of the profile.", exit: CommandExit.refused)
        }
        let again = prompt.refusals > 0 ? " again: the server rejected the previous one" : ""
        terminal.show("\(prompt.origin) asks for a login\(again).")
        for field in missing {
            let slot = program.slots[field.slot]
            guard
                let text = try await terminal.ask(
                    "\(field.summary.trimmed(".")) (\(slot.name.value)): ", isHidden: field.type == .secret)
            else { throw CancellationError() }
            values[field.slot] = field.type == .secret ? .secret(text) : .text(text)
        }
    }

    /// Returns the options that give the values of fields. A secret must not be on the command line.
    private static func options(for fields: [ResolvedProgram.PromptField]) -> String {
        let texts = fields.filter { $0.type == .text }.isEmpty ? [] : ["a text with '--set'"]
        let secrets = fields.filter { $0.type == .secret }.isEmpty ? [] : ["a secret with '--set-env' or '--set-file'"]
        let identities = fields.filter { $0.type == .identity }.isEmpty ? [] : ["a certificate with '--set-file'"]
        return (texts + secrets + identities).joined(separator: " and ")
    }

    var input: (any LoginInputSource)? { terminal.map { ClientPages(terminal: $0) } }

    /// Returns the values of the profile, by slot, and the archive of an identity among them.
    private func given(_ prompted: [ResolvedProgram.PromptField]) async throws -> [Int: ProgramValue] {
        var values: [Int: ProgramValue] = [:]
        let asked = program.asked(prompted)
        for field in asked {
            let name = program.slots[field.slot].name.value
            guard let source = profile.values[name] else { continue }
            do {
                switch field.type {
                case .text: values[field.slot] = .text(try await source.texts(of: name).joined(separator: ","))
                case .secret: values[field.slot] = .secret(try await source.texts(of: name).joined(separator: ","))
                case .identity:
                    let identity = try await identity(from: source, named: name)
                    values[field.slot] = .identity(identity.connectionIdentity)
                    let archive = try Self.archive(of: identity, named: name)
                    for other in prompted where !asked.contains(where: { $0.slot == other.slot }) {
                        values[other.slot] = .secret(archive)
                    }
                }
            } catch {
                throw profile.placed(error, at: .value(name))
            }
        }
        return values
    }

    /// Returns the identity in a PKCS #12 archive. Its password is the value whose name has the suffix `Password`.
    private func identity(from source: Profile.Source, named name: String) async throws -> ClientIdentity {
        guard case .file(let path) = source, let archive = try await Blocking.run({ WholeFile.bytes(atPath: path) }) else {
            throw CommandProblem(
                "'\(name)' requires a readable PKCS #12 file with a certificate and its key.",
                remedy: "Give it with '--set-file \(name)=FILE', and its password with '--set-file \(name)Password=FILE'.",
                exit: CommandExit.noInput)
        }
        let password = try await profile.values["\(name)Password"]?.texts(of: "\(name)Password").first ?? ""
        return try Self.identity([UInt8](archive), password, named: name)
    }

    private static func identity(_ archive: [UInt8], _ password: String, named name: String) throws -> ClientIdentity {
        do throws(IdentityError) {
            return try PKCS12Archive(reading: archive, password: password, at: Date()).identity
        } catch {
            throw CommandProblem("'\(name)' cannot be used: \(error).", exit: CommandExit.badData)
        }
    }

    /// Returns the archive of an identity in Base64, without a password, for an encrypted store.
    private static func archive(of identity: ClientIdentity, named name: String) throws -> String {
        do throws(IdentityError) {
            return Data(try PKCS12Archive.write(identity).bytes).base64EncodedString()
        } catch {
            throw CommandProblem("'\(name)' cannot be used: \(error).", exit: CommandExit.badData)
        }
    }
}

extension ResolvedProgram {
    /// Returns the fields of a prompt that a user is asked for: not the archive of an identity, which only the store needs, and
    /// which follows from the identity.
    func asked(_ prompt: [PromptField]) -> [PromptField] {
        guard prompt.count(where: { $0.type == .identity }) == 1 else { return prompt }
        let stored = credential.fields.filter(\.isForStore).map(\.slot)
        return prompt.filter { $0.type != .secret || !stored.contains($0.slot) }
    }
}

/// Asks the user in a terminal for the values that a server requests.
private struct ClientPages: LoginInputSource {
    let terminal: Terminal

    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]? {
        let server = input.origin.map { "\($0)" } ?? "The server"
        terminal.show("\(server) asks for input; the following text is from the server:")
        for text in [input.clientMessage, input.disclaimer] where !text.isEmpty { terminal.show(VisibleText.escaped(text)) }
        if !input.disclaimer.isEmpty || input.inputFields.isEmpty {
            guard try await terminal.ask("Go on (yes or no)? ", isHidden: false) == "yes" else { return nil }
        }
        var values: [LoginInputFieldValue] = []
        for field in input.inputFields {
            let preset = field.preset.isEmpty || field.type == .hidden ? "" : " [\(VisibleText.escaped(field.preset))]"
            let label = VisibleText.escaped(field.prompt.isEmpty ? field.fieldName : field.prompt)
            guard let text = try await terminal.ask("\(label)\(preset): ", isHidden: field.type == .hidden) else { return nil }
            values.append(LoginInputFieldValue(fieldName: field.fieldName, value: text.isEmpty ? field.preset : text))
        }
        return values
    }

    func finished() async {}
}

extension String {
    /// Returns the text without a character at its end.
    func trimmed(_ end: Character) -> String { last == end ? String(dropLast()) : self }
}
