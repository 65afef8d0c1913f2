// Access keys where the tools of Amazon keep them: environment variables, and the files `credentials` and `config` in the folder `.aws`, as Amazon's
// "AWS SDKs and Tools Reference Guide" describes them.

public import Foundation

/// An access key of a profile, as the tools of Amazon find it.
public struct SharedAccessKey: Sendable, Hashable {
    /// The identifier of the access key.
    public let id: String
    /// The secret access key.
    public let secret: String
    /// The session token of a temporary key; `nil` if it is none.
    public let session: String?
    /// The region of the profile; `nil` if it names none.
    public let region: String?

    /// Finds the access key: in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, or else in the profile's section of the
    /// files.
    ///
    /// - Parameters:
    ///   - profile: The profile, whose key is taken whatever the environment has; `nil` for that of `AWS_PROFILE`, or `default`.
    ///   - environment: The environment variables. `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` say where the files are, `AWS_REGION` and
    ///     `AWS_DEFAULT_REGION` name a region.
    ///   - home: The folder with the folder `.aws`.
    /// - Throws: ``SharedAccessKeyError``.
    public init(
        profile: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = URL(filePath: NSHomeDirectory())
    ) throws(SharedAccessKeyError) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let named = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
        if profile == nil, let id = variable("AWS_ACCESS_KEY_ID") {
            guard let secret = variable("AWS_SECRET_ACCESS_KEY") else { throw .incomplete(place: "the environment") }
            self.init(id: id, secret: secret, session: variable("AWS_SESSION_TOKEN"), region: named)
            return
        }
        let profile = profile ?? variable("AWS_PROFILE") ?? "default"
        func file(_ name: String, _ variableName: String) -> URL {
            variable(variableName).map { URL(filePath: $0) } ?? home.appending(path: ".aws").appending(path: name)
        }
        let keys = try Self.section([profile], of: file("credentials", "AWS_SHARED_CREDENTIALS_FILE"))
        // There, all but the first have a word before their names.
        let names = profile == "default" ? ["default", "profile default"] : ["profile \(profile)"]
        let settings = try Self.section(names, of: file("config", "AWS_CONFIG_FILE"))
        guard let found = [keys, settings].compactMap(\.self).first(where: { $0["aws_access_key_id"] != nil }) else {
            throw keys == nil && settings == nil ? .missing(profile: profile) : .incomplete(place: "the profile '\(profile)'")
        }
        guard let id = found["aws_access_key_id"], let secret = found["aws_secret_access_key"] else {
            throw .incomplete(place: "the profile '\(profile)'")
        }
        self.init(
            id: id, secret: secret, session: found["aws_session_token"], region: named ?? settings?["region"] ?? keys?["region"])
    }

    private init(id: String, secret: String, session: String?, region: String?) {
        self.id = id
        self.secret = secret
        self.session = session
        self.region = region
    }

    /// The values of the first section with one of some names; `nil` if there is none, or no file.
    private static func section(_ names: [String], of file: URL) throws(SharedAccessKeyError) -> [String: String]? {
        let path = file.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let text = (try? Data(contentsOf: file)).flatMap({ String(validating: $0, as: UTF8.self) }) else {
            throw .unreadable(file: path)
        }
        var sections: [String: [String: String]] = [:]
        var current: String?
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = line.trimmingCharacters(in: .whitespaces)
            guard let first = content.first, first != "#", first != ";" else { continue }
            if first == "[" {
                guard let end = content.firstIndex(of: "]") else { throw .malformed(file: path, line: number + 1) }
                let words = content[content.index(after: content.startIndex)..<end].split(separator: " ")
                current = words.joined(separator: " ")
                if let current { sections[current] = sections[current] ?? [:] }
            } else if line.first?.isWhitespace == true {
                // A value of several lines, none of which is a key.
                continue
            } else {
                guard let sign = content.firstIndex(of: "="), let current else { throw .malformed(file: path, line: number + 1) }
                let name = content[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
                let value = content[content.index(after: sign)...].trimmingCharacters(in: .whitespaces)
                if !value.isEmpty { sections[current]?[name] = value }
            }
        }
        return names.lazy.compactMap { sections[$0] }.first
    }
}

extension SharedAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the region.
    public var description: String { "SharedAccessKey(\(id), region: \(region ?? "none"), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "region": region ?? "none"]) }
}

/// Why there is no access key.
public enum SharedAccessKeyError: Error, Sendable, Hashable {
    /// Neither file has the profile.
    case missing(profile: String)
    /// A part of the key is missing; the place is for messages.
    case incomplete(place: String)
    /// A file is there, and cannot be read as text.
    case unreadable(file: String)
    /// A line of a file is neither a section nor a value in one; lines count from 1.
    case malformed(file: String, line: Int)
}

extension SharedAccessKeyError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .missing(let profile):
            "There is no access key: neither AWS_ACCESS_KEY_ID is set, nor is there a profile '\(profile)' in ~/.aws/credentials or ~/.aws/config."
        case .incomplete(let place): "The access key in \(place) has no identifier or no secret."
        case .unreadable(let file): "\(file) cannot be read."
        case .malformed(let file, let line): "\(file):\(line): this is neither a section nor a value in one."
        }
    }
}

extension AccessKeyParameters {
    /// Parameters with an access key where the tools of Amazon keep it.
    ///
    /// - Parameters:
    ///   - endpoints: The addresses of the service.
    ///   - service: The service, as signatures name it.
    ///   - key: The access key.
    ///   - region: The region, as signatures name it; `nil` for that of the key's profile, or `us-east-1`.
    public init(endpoints: ProtectedOrigins, service: String, key: SharedAccessKey, region: String? = nil) {
        self.init(
            endpoints: endpoints, region: region ?? key.region ?? "us-east-1", service: service, accessKeyID: key.id,
            secretAccessKey: key.secret, sessionToken: key.session)
    }
}
