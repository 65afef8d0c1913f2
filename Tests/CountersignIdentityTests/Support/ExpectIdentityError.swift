import CountersignIdentity
import Testing

/// Expects an error with a code, and returns it.
@discardableResult
func expect<Value>(
    _ code: IdentityError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws(IdentityError) -> Value
) -> IdentityError? {
    do throws(IdentityError) {
        _ = try body()
        Issue.record("no error, but \(code.rawValue) was expected", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    }
}
