internal import CGSSAPI
internal import Synchronization

@testable @_spi(Generated) internal import CountersignGSSAPI

/// The library with counts of the objects that are made and released.
enum CountedLibrary {
    /// The number of objects of a kind that were made and released.
    struct Count: Equatable {
        var made = 0
        var released = 0
    }

    private static let counts = Mutex<[String: Count]>([:])

    /// The real library, set before it is used, in tests that run one at a time.
    nonisolated(unsafe) private static var real: GSSLibrary?
    /// Whether contexts hide that the server has proven its identity, set with ``real``.
    nonisolated(unsafe) private static var hidesMutual = false

    private static func make(_ kind: String) { counts.withLock { $0[kind, default: Count()].made += 1 } }
    private static func release(_ kind: String) { counts.withLock { $0[kind, default: Count()].released += 1 } }

    static var current: [String: Count] { counts.withLock { $0 } }

    static var isBalanced: Bool { counts.withLock { $0.values.allSatisfy { $0.made == $0.released } } }

    /// Starts counting.
    ///
    /// - Parameter hidesMutual: Whether contexts hide that the server has proven its identity.
    static func load(hidesMutual: Bool = false) throws -> GSSLibrary {
        var library = try GSSLibrary.load(GSSLibrary.systemPath)
        real = library
        self.hidesMutual = hidesMutual
        counts.withLock { $0 = [:] }
        library.importName = { minor, text, type, name in
            let major = CountedLibrary.real?.importName(minor, text, type, name) ?? 0
            if name?.pointee != nil { CountedLibrary.make("name") }
            return major
        }
        library.releaseName = { minor, name in
            if name?.pointee != nil { CountedLibrary.release("name") }
            return CountedLibrary.real?.releaseName(minor, name) ?? 0
        }
        library.acquireCredential = { minor, name, time, mechanisms, usage, credential, actual, actualTime in
            let major =
                CountedLibrary.real?.acquireCredential(minor, name, time, mechanisms, usage, credential, actual, actualTime) ?? 0
            if credential?.pointee != nil { CountedLibrary.make("credential") }
            return major
        }
        library.releaseCredential = { minor, credential in
            if credential?.pointee != nil { CountedLibrary.release("credential") }
            return CountedLibrary.real?.releaseCredential(minor, credential) ?? 0
        }
        library.initiate = {
            minor, credential, context, target, mechanism, flags, time, bindings, input, actual, output, actualFlags, actualTime in
            defer { if CountedLibrary.hidesMutual { actualFlags?.pointee &= ~UInt32(COUNTERSIGN_GSS_MUTUAL) } }
            let isNew = context?.pointee == nil
            let major =
                CountedLibrary.real?.initiate(
                    minor, credential, context, target, mechanism, flags, time, bindings, input, actual, output, actualFlags,
                    actualTime)
                ?? 0
            if isNew, context?.pointee != nil { CountedLibrary.make("context") }
            if !isNew, context?.pointee == nil { CountedLibrary.release("context") }
            if output?.pointee.value != nil { CountedLibrary.make("buffer") }
            return major
        }
        library.deleteContext = { minor, context, output in
            if context?.pointee != nil { CountedLibrary.release("context") }
            return CountedLibrary.real?.deleteContext(minor, context, output) ?? 0
        }
        library.releaseBuffer = { minor, buffer in
            if buffer?.pointee.value != nil { CountedLibrary.release("buffer") }
            return CountedLibrary.real?.releaseBuffer(minor, buffer) ?? 0
        }
        library.displayStatus = { minor, status, kind, mechanism, position, text in
            let major = CountedLibrary.real?.displayStatus(minor, status, kind, mechanism, position, text) ?? 0
            if text?.pointee.value != nil { CountedLibrary.make("buffer") }
            return major
        }
        return library
    }
}
