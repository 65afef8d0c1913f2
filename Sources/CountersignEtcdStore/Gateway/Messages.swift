internal import Foundation

// The messages of etcd's API, version 3, in the form of its JSON gateway: 64-bit numbers are strings, bytes are Base64, and zero,
// false and empty values are omitted from responses.

/// A 64-bit number.
struct Number: Codable, Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    let value: Int64

    init(_ value: Int64) { self.value = value }

    init(integerLiteral value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        // Revisions are compared with their neighbours, which must be numbers, too.
        guard let value = Int64(text), value > .min, value < .max else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a 64-bit number")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(value))
    }

    static func < (left: Number, right: Number) -> Bool { left.value < right.value }
}

/// A request to `/v3/kv/txn`: operations that are executed atomically if all comparisons hold, and others if not.
struct Transaction: Encodable, Sendable {
    var compare: [Comparison] = []
    var success: [Operation] = []
    var failure: [Operation] = []

    /// A comparison with a revision of a key, or of every key of a range. A missing key has the revision 0.
    struct Comparison: Encodable, Sendable {
        private let key: Data
        private let range_end: Data?
        private let target: String
        private let result = "EQUAL"
        private let create_revision: Number?
        private let mod_revision: Number?

        /// Returns the comparison that the key was last modified at a revision.
        static func modified(_ key: KeyRange, at revision: Number) -> Comparison {
            Comparison(key: key.start, range_end: key.end, target: "MOD", create_revision: nil, mod_revision: revision)
        }

        /// Returns the comparison that the key was created at a revision.
        static func created(_ key: KeyRange, at revision: Number) -> Comparison {
            Comparison(key: key.start, range_end: key.end, target: "CREATE", create_revision: revision, mod_revision: nil)
        }
    }

    /// An operation. Each operation of a transaction sees the effects of the previous ones.
    enum Operation: Encodable, Sendable {
        case range(Range)
        case put(Put)
        case deleteRange(KeyRange)

        private enum CodingKeys: String, CodingKey {
            case range = "request_range"
            case put = "request_put"
            case deleteRange = "request_delete_range"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .range(let range): try container.encode(range, forKey: .range)
            case .put(let put): try container.encode(put, forKey: .put)
            case .deleteRange(let range): try container.encode(range, forKey: .deleteRange)
            }
        }
    }

    struct Range: Encodable, Sendable {
        let key: Data
        let range_end: Data?
        var limit: Number?
        var max_create_revision: Number?
        var sort_order: String?
        var sort_target: String?

        init(_ range: KeyRange) {
            key = range.start
            range_end = range.end
        }
    }

    struct Put: Encodable, Sendable {
        let key: Data
        let value: Data
        var lease: Number?
    }
}

/// One key, or all keys with a prefix.
struct KeyRange: Encodable, Sendable, Hashable {
    let start: Data
    let end: Data?

    private enum CodingKeys: String, CodingKey {
        case start = "key"
        case end = "range_end"
    }

    /// Creates a range of one key.
    init(_ name: String) {
        start = Data(name.utf8)
        end = nil
    }

    /// Creates the range of keys with a prefix, whose last byte must be less than 255, as in every UTF-8 text.
    init(prefix: String) {
        start = Data(prefix.utf8)
        var bytes = Array(prefix.utf8)
        if let last = bytes.indices.last { bytes[last] += 1 }
        end = Data(bytes)
    }
}

struct TransactionAnswer: Decodable, Sendable {
    let header: Header
    private let succeeded: Bool?
    private let responses: [Response]?

    struct Header: Decodable, Sendable {
        private let revision: Number?
        /// The revision of the cluster.
        var latest: Number { revision ?? 0 }
    }

    struct Response: Decodable, Sendable {
        let response_range: Found?
    }

    struct Found: Decodable, Sendable {
        let kvs: [KeyValue]?
    }

    /// Whether the comparisons held.
    var isSuccess: Bool { succeeded ?? false }

    /// Returns the keys that a range operation has found.
    func found(_ operation: Int) -> [KeyValue] {
        guard let responses, responses.indices.contains(operation) else { return [] }
        return responses[operation].response_range?.kvs ?? []
    }
}

/// An existing key.
struct KeyValue: Decodable, Sendable {
    let key: Data
    let create_revision: Number
    let mod_revision: Number
    private let value: Data?

    var bytes: [UInt8] { value.map { Array($0) } ?? [] }
}

struct LeaseRequest: Encodable, Sendable {
    var ID: Number?
    var TTL: Number?
}

/// A lease. Without a time to live, it has expired.
struct Lease: Decodable, Sendable {
    let header: TransactionAnswer.Header
    let ID: Number
    let TTL: Number?
}

struct LeaseKeptAlive: Decodable, Sendable {
    let result: Lease
}

struct LeaseRevoked: Decodable, Sendable {
    let header: TransactionAnswer.Header
}

struct WatchRequest: Encodable, Sendable {
    let create_request: Creation

    struct Creation: Encodable, Sendable {
        let key: Data
        let start_revision: Number
    }
}

/// A line of the stream of a watch.
struct WatchAnswer: Decodable, Sendable {
    let result: Result?

    struct Result: Decodable, Sendable {
        let header: TransactionAnswer.Header
        let canceled: Bool?
        /// The oldest available revision, if the watch was cancelled because older ones were compacted.
        let compact_revision: Number?
        let events: [Event]?
    }

    struct Event: Decodable, Sendable {}
}

/// The reason why a request was refused (gRPC status).
struct RefusedAnswer: Decodable, Sendable {
    /// The message. Before etcd 3.6, the response also had it as `error`.
    let message: String
    let code: Int?
}
