/// What a completion handler of a sample was called with: the handler gives it, the test awaits it.
public struct Answer<Value: Sendable>: Sendable {
    private let values: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    /// Makes one that nobody has given yet.
    public init(of type: Value.Type = Value.self) { (values, continuation) = AsyncStream.makeStream() }

    /// Gives it; the first one counts.
    public func give(_ value: Value) {
        continuation.yield(value)
        continuation.finish()
    }

    /// Waits for it; `nil` if the waiting was cancelled, as it is when a test takes too long.
    public var value: Value? {
        get async {
            for await value in values { return value }
            return nil
        }
    }
}
