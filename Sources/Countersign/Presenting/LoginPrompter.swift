internal import Synchronization

/// Asks the application's source of input for the values that a server requests.
struct LoginPrompter: Sendable {
    let source: any LoginInputSource

    /// Returns the application's answers. The application is asked again while two fields that must be equal differ.
    ///
    /// - Parameters:
    ///   - server: The server's response.
    ///   - page: The locations of the requested fields in the response.
    ///   - origin: The server that will receive the answer; `nil` if it is not known yet.
    ///   - limit: The time limit for each answer of the application.
    /// - Returns: The values to send, by name.
    /// - Throws: ``StepFailure``; `CancellationError` if the user cancelled.
    func values(
        for server: JSONTree, describedBy page: PromptPage, sentTo origin: Origin?, within limit: Duration,
        clock: any Clock<Duration>
    ) async throws -> [String: String] {
        var input = try LoginInput(of: server, describedBy: page)
        input.origin = origin
        for _ in 0..<Self.maximumConfirmations {
            guard let given = try await answers(to: input, within: limit, clock: clock) else { throw CancellationError() }
            let names = Set(input.inputFields.map(\.fieldName))
            let values = Dictionary(given.filter { names.contains($0.fieldName) }.map { ($0.fieldName, $0.value) }) { $1 }
            let wrong = input.inputFields.first { !$0.confirmField.isEmpty && values[$0.fieldName] != values[$0.confirmField] }
            guard let wrong else { return values }
            let other = input.inputFields.first { $0.fieldName == wrong.confirmField }?.prompt ?? ""
            input.clientMessage = "'\(wrong.prompt)' is not the same as '\(other)'."
            input.messageType = .error
        }
        throw StepFailure(
            .refused, "two fields that must have the same value differed \(Self.maximumConfirmations) times in a row")
    }

    /// Tells the application that no more input is requested, regardless of the result.
    func finished() async { await source.finished() }

    /// The maximum number of attempts to enter equal values in two fields.
    private static var maximumConfirmations: Int { 10 }

    /// Returns the application's answers; `nil` if the user cancelled.
    ///
    /// After the time limit, an application that ignores cancellation is not waited for, and its answer is discarded.
    private func answers(
        to input: LoginInput, within limit: Duration, clock: any Clock<Duration>
    ) async throws -> [LoginInputFieldValue]? {
        let tasks = Mutex<[Task<Void, Never>]>([])
        defer { for task in tasks.withLock(\.self) { task.cancel() } }
        return try await GeneratedCodeVersion3.answer { [source] complete in
            let question = Task {
                do {
                    complete(.success(try await source.values(for: input)))
                } catch is CancellationError {
                    complete(.failure(CancellationError()))
                } catch {
                    complete(.failure(StepFailure(.refused, "the application gave no answer", error: error)))
                }
            }
            let timeout = Task {
                guard (try? await clock.sleep(for: limit, tolerance: nil)) != nil else { return }
                complete(.failure(StepFailure(.late, "the input took too long", .timedOut)))
            }
            tasks.withLock { $0 = [question, timeout] }
        }
    }
}

extension LoginInput {
    /// The maximum number of fields, more than any user would fill in.
    private static let maximumFields = 50

    /// - Throws: ``StepFailure`` for fields without a name, or too many of them.
    fileprivate init(of server: JSONTree, describedBy page: PromptPage) throws(StepFailure) {
        guard case .list(let items)? = server[page.fields] else { throw StepFailure(.missing, "the server asks for no fields") }
        guard items.count <= Self.maximumFields else {
            throw StepFailure(.missing, "the server asks for more than \(Self.maximumFields) fields")
        }
        var fields: [LoginInputField] = []
        for item in items {
            guard let name = item[page.name]?.text, !name.isEmpty, !fields.contains(where: { $0.fieldName == name }) else {
                throw StepFailure(.missing, "a field that the server asks for has no name, or the name of another field")
            }
            func text(_ pointer: String?) -> String { pointer.flatMap { item[$0]?.text } ?? "" }
            fields.append(
                LoginInputField(
                    fieldName: name, preset: text(page.preset), prompt: text(page.prompt),
                    type: page.hidden != nil && text(page.type) == page.hidden ? .hidden : .plain,
                    confirmField: text(page.confirms)))
        }
        let names = Set(fields.map(\.fieldName))
        guard fields.allSatisfy({ $0.confirmField.isEmpty || names.contains($0.confirmField) }) else {
            throw StepFailure(.missing, "a field that the server asks for confirms a field that does not exist")
        }
        func text(_ pointer: String?) -> String { pointer.flatMap { server[$0]?.text } ?? "" }
        let messageType: ClientMessageType =
            switch text(page.messageType) {
            case "information": .information
            case "warning": .warning
            case "error": .error
            default: .none
            }
        self.init(
            clientMessage: text(page.message), disclaimer: text(page.disclaimer), messageType: messageType, inputFields: fields)
    }
}
