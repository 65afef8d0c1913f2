#if os(Linux)
public import Countersign
internal import Dispatch
internal import Foundation

/// Stores a key in the desktop's Secret Service (GNOME Keyring, KWallet, KeePassXC) with libsecret's `secret-tool`.
///
/// ```swift
/// let key = SecretServiceKeySource(service: "example-client", account: "credentials", label: "Example: key of the credential store")
/// let store = EncryptedFileStore(folder: folder, key: key)
/// ```
///
/// The key is passed through the tool's standard input and output, never through an argument, the environment or a file. The
/// attributes are not secret: the service stores them unencrypted, and other processes can read them in the tool's arguments.
///
/// If the keyring is locked, the desktop asks the user to unlock it. On machines without a Secret Service, use a ``StoreKey``.
public struct SecretServiceKeySource: StoreKeySource {
    /// The attribute `service`: the program.
    public let service: String
    /// The attribute `account`: one for each folder.
    public let account: String
    /// The label of the entry in the keyring.
    public let label: String
    /// The time limit of the tool, including the unlocking by the user.
    public let timeout: Duration

    private static let queue = BlockingQueue("countersign.secret-service", isSerial: true)

    /// Creates a key source.
    ///
    /// - Parameters:
    ///   - service: The attribute `service`: the program.
    ///   - account: The attribute `account`: one for each folder.
    ///   - label: The label of the entry in the keyring.
    ///   - timeout: The time limit of the tool, including the unlocking by the user.
    public init(service: String, account: String, label: String, timeout: Duration = .seconds(120)) {
        self.service = service
        self.account = account
        self.label = label
        self.timeout = timeout
    }

    public func existingKey() async throws(CredentialStoreError) -> StoreKey? {
        let run = try await Self.queue.run { () throws(CredentialStoreError) in
            try SecretTool.run(["lookup"] + attributes, input: Data(), timeout: timeout)
        }
        // The tool exits with status 1 without a message if there is no key, and with a message for every failure.
        if run.status == 1, run.output.isEmpty, !run.hasMessage { return nil }
        guard run.status == 0, let bytes = Data(base64Encoded: run.output), let key = StoreKey(bytes: bytes) else {
            throw CredentialStoreError(
                .keyUnavailable,
                detail: run.status == 0
                    ? "the Secret Service returned data that is not a key" : "the Secret Service did not answer")
        }
        return key
    }

    public func makeKey() async throws(CredentialStoreError) -> StoreKey {
        let key = StoreKey.random()
        let input = Data(key.bytes.bytes).base64EncodedData()
        let run = try await Self.queue.run { () throws(CredentialStoreError) in
            try SecretTool.run(["store", "--label", label] + attributes, input: input, timeout: timeout)
        }
        // Later runs receive the key that the service returns, so only that key may be used for encryption.
        guard run.status == 0, let kept = try await existingKey(), kept.bytes == key.bytes else {
            throw CredentialStoreError(.keyUnavailable, detail: "the Secret Service did not store the key")
        }
        return kept
    }

    private var attributes: [String] { ["service", service, "account", account] }
}

/// One run of `secret-tool`. It blocks.
enum SecretTool {
    /// The result of a run.
    struct Run: Sendable {
        let status: Int32
        let output: Data
        let hasMessage: Bool
    }

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: The command and its arguments, which must not be secret.
    ///   - input: The standard input, which must fit into a pipe's buffer.
    ///   - timeout: The time after which the tool is killed.
    static func run(_ arguments: [String], input: Data, timeout: Duration) throws(CredentialStoreError) -> Run {
        let process = Process()
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["secret-tool"] + arguments
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        do {
            // The input is written before the tool starts, while this process has the pipe's other end, so a tool that exits
            // early causes no SIGPIPE.
            try standardInput.fileHandleForWriting.write(contentsOf: input)
            try standardInput.fileHandleForWriting.close()
            try process.run()
            // SIGTERM would not work: a child inherits the blocked signals of the thread that starts it, and Dispatch blocks
            // SIGTERM on its threads.
            let deadline = DispatchWorkItem { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(timeout / .milliseconds(1))), execute: deadline)
            defer { deadline.cancel() }
            let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
            let message = try standardError.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            // The status after a signal is the signal's number, so SIGHUP, which is 1, would otherwise mean that there is no key.
            guard process.terminationReason == .exit else {
                throw CredentialStoreError(.keyUnavailable, detail: "the Secret Service did not answer in time, or was interrupted")
            }
            guard process.terminationStatus != 127 else {
                throw CredentialStoreError(.keyUnavailable, detail: "secret-tool is not installed (Debian: libsecret-tools)")
            }
            return Run(status: process.terminationStatus, output: output, hasMessage: !message.isEmpty)
        } catch let error as CredentialStoreError {
            throw error
        } catch {
            throw CredentialStoreError(.keyUnavailable, detail: "secret-tool could not be run")
        }
    }
}
#endif
