@_spi(Generated) internal import Countersign
internal import CountersignSpec
internal import Foundation

/// Fills the slots of a program with given values, as generated code does with the values of its structs.
struct SlotValues {
    private let settings: [String: FieldValue]
    private let parameters: [String: FieldValue]
    /// The servers that receive the credential: the server of the settings, or else those of the URLs that the steps use.
    private let servers: [URL]

    /// - Parameters:
    ///   - landscape: The landscape that declares the settings.
    ///   - program: The program with the slots.
    ///   - fields: The parameters.
    ///   - fromSettings: The templates for parameters that are not given.
    init(
        _ landscape: ResolvedLandscape, _ program: ResolvedProgram, fields: [ResolvedField],
        fromSettings: [(field: Located<String>, template: ResolvedTemplate)], given: GivenValues
    ) throws {
        try Self.check(given.settings, among: landscape.settings?.fields ?? [], as: "setting")
        try Self.check(given.parameters, among: fields, as: "parameter")
        var settings: [String: FieldValue] = [:]
        for field in landscape.settings?.fields ?? [] {
            // A missing setting is a problem only if a parameter is created from it.
            settings[field.name.value] = try? field.value(of: given.settings[field.name.value], calledA: "setting") { nil }
            if given.settings[field.name.value] != nil, settings[field.name.value] == nil {
                _ = try field.value(of: given.settings[field.name.value], calledA: "setting") { nil }
            }
        }
        var parameters: [String: FieldValue] = [:]
        for field in fields {
            let name = field.name.value
            parameters[name] = try field.value(of: given.parameters[name], calledA: "parameter") {
                try fromSettings.first { $0.field.value == name }.flatMap { source in
                    try Self.value(of: source.template, as: field.type, settings, [:], landscape.settings?.fields ?? [])
                }
            }
        }
        self.settings = settings
        self.parameters = parameters
        let server = landscape.serverField.flatMap { settings[$0] }
        if case .url(let url)? = server {
            servers = [url]
        } else {
            servers = program.addresses.compactMap { [parameters, settings] in Self.url($0, settings, parameters) }
        }
    }

    /// Returns the value of a slot.
    func value(_ slot: ResolvedProgram.Slot) -> ProgramValue {
        switch slot.filling {
        case nil, .preparation: return .absent
        case .servers: return .given(ProtectedOrigins(servers: servers))
        case .url(let template), .optionalURL(let template):
            return .given(Self.url(template, settings, parameters))
        case .nonempty(let template): return slot.isSecret ? secret(template) : .nonempty(text(template))
        case .texts(let template): return .nonempty(field(template)?.list ?? [])
        case .text(let template):
            switch field(template) {
            case .flag(let flag): return .given(flag)
            case .origins(let origins): return .origins(origins)
            case .texts(let texts): return .given(Set(texts))
            case .absent: return .absent
            case .text, .url, nil: return slot.isSecret ? secret(template) : .given(text(template))
            }
        }
    }

    private func secret(_ template: ResolvedTemplate) -> ProgramValue {
        text(template).flatMap { $0.isEmpty ? nil : .secret($0) } ?? .absent
    }

    /// Returns the value of the field that is the whole template.
    private func field(_ template: ResolvedTemplate) -> FieldValue? {
        template.pieces.count == 1 ? Self.field(template.pieces[0], settings, parameters) : nil
    }

    private func text(_ template: ResolvedTemplate) -> String? { Self.text(template, settings, parameters) }

    // MARK: Templates

    private static func field(
        _ piece: ResolvedTemplate.Piece, _ settings: [String: FieldValue], _ parameters: [String: FieldValue]
    ) -> FieldValue? {
        switch piece {
        case .text: nil
        case .parameter(let name, _): parameters[name] ?? .absent
        case .settings(let name, _): settings[name] ?? .absent
        }
    }

    private static func text(
        _ template: ResolvedTemplate, _ settings: [String: FieldValue], _ parameters: [String: FieldValue]
    ) -> String? {
        var text = ""
        for piece in template.pieces {
            if case .text(let part) = piece { text += part; continue }
            guard let part = field(piece, settings, parameters)?.text else { return nil }
            text += part
        }
        return text
    }

    /// Returns a URL. As in the steps of a program, text after a URL value extends that URL.
    private static func url(
        _ template: ResolvedTemplate, _ settings: [String: FieldValue], _ parameters: [String: FieldValue]
    ) -> URL? {
        var values: [ProgramValue] = []
        var pieces: [ProgramTemplate.Piece] = []
        for piece in template.pieces {
            if case .text(let text) = piece {
                pieces.append(.text(text))
                continue
            }
            switch field(piece, settings, parameters) {
            case .url(let url): values.append(.url(url))
            case let value: values.append(.given(value?.text))
            }
            pieces.append(.slot(values.count - 1))
        }
        return ProgramTemplate(pieces).url(values)
    }

    /// Returns the value of a parameter from its template; `nil` if a value in the template is absent.
    private static func value(
        of template: ResolvedTemplate, as type: FieldType, _ settings: [String: FieldValue], _ parameters: [String: FieldValue],
        _ fields: [ResolvedField]
    ) throws -> FieldValue? {
        for case .settings(let name, _) in template.pieces where settings[name] == nil {
            guard let field = fields.first(where: { $0.name.value == name }), !field.isOptional else { continue }
            throw DynamicProblem.missing(kind: "setting", name: name, summary: field.documentation.summary)
        }
        if type == .url { return url(template, settings, parameters).map { .url($0) } }
        if template.pieces.count == 1, let value = field(template.pieces[0], settings, parameters) { return value }
        return text(template, settings, parameters).map { .text($0) }
    }

    private static func check(_ given: [String: [String]], among fields: [ResolvedField], as kind: String) throws {
        let known = fields.map(\.name.value)
        guard let name = given.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw DynamicProblem.unknown(kind: kind, name: name, known: known)
    }
}

extension FieldValue {
    fileprivate var list: [String] { if case .texts(let texts) = self { texts } else { [text].compactMap(\.self) } }
}
