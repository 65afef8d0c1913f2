import CountersignSAP
import Foundation
import Synchronization

/// A store in memory, of values as JSON.
final class DictionaryStore: CodableStoring {
    struct Broken: Error {}
    private struct State {
        var values: [String: Data] = [:]
        var isBroken = false
    }
    private let state = Mutex(State())

    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? {
        if isBroken { throw Broken() }
        return try state.withLock { $0.values[key] }.map { try JSONDecoder().decode(type, from: $0) }
    }

    func put<T: Codable>(_ value: T, for key: String) throws {
        let data = try JSONEncoder().encode(value)
        state.withLock { $0.values[key] = data }
    }

    func remove(for key: String) throws { state.withLock { $0.values[key] = nil } }

    func keys() throws -> Set<String> {
        if isBroken { throw Broken() }
        return state.withLock { Set($0.values.keys) }
    }
}
