/// The value that a sample's completion handler was called with. The handler provides it, and the test awaits it.
public struct Answer<Value: Sendable>: Sendable {
    private let values: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    /// Makes an answer without a value.
    public init(of type: Value.Type = Value.self) { (values, continuation) = AsyncStream.makeStream() }

    /// Provides the value. Only the first call has an effect.
    public func give(_ value: Value) {
        continuation.yield(value)
        continuation.finish()
    }

    /// The value, when it is provided; `nil` if the task is cancelled, as it is when a test takes too long.
    public var value: Value? {
        get async {
            for await value in values { return value }
            return nil
        }
    }
}
