internal import Foundation

// The messages of etcd's API, version 3, as its JSON gateway has them: 64-bit numbers are texts, bytes are Base64, and what is zero, false or
// empty is left out of answers.

/// A number of 64 bits.
struct Number: Codable, Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    let value: Int64

    init(_ value: Int64) { self.value = value }

    init(integerLiteral value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Int64(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number of 64 bits")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(value))
    }

    static func < (left: Number, right: Number) -> Bool { left.value < right.value }
}

/// What is asked for by `/v3/kv/txn`: operations that are done at once if all comparisons hold, or others if not.
struct Transaction: Encodable, Sendable {
    var compare: [Comparison] = []
    var success: [Operation] = []
    var failure: [Operation] = []

    /// Compares a revision of a key, or of every key of a range. A key that is not there has the revisions 0.
    struct Comparison: Encodable, Sendable {
        private let key: Data
        private let range_end: Data?
        private let target: String
        private let result = "EQUAL"
        private let create_revision: Number?
        private let mod_revision: Number?

        /// The key was last written at a revision.
        static func modified(_ key: KeyRange, at revision: Number) -> Comparison {
            Comparison(key: key.start, range_end: key.end, target: "MOD", create_revision: nil, mod_revision: revision)
        }

        /// The key has been there since a revision.
        static func created(_ key: KeyRange, at revision: Number) -> Comparison {
            Comparison(key: key.start, range_end: key.end, target: "CREATE", create_revision: revision, mod_revision: nil)
        }
    }

    /// One operation; those of a transaction see what those before them have done.
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

/// One key, or all that begin with the same bytes.
struct KeyRange: Encodable, Sendable, Hashable {
    let start: Data
    let end: Data?

    private enum CodingKeys: String, CodingKey {
        case start = "key"
        case end = "range_end"
    }

    /// The key.
    init(_ name: String) {
        start = Data(name.utf8)
        end = nil
    }

    /// The keys that begin with a text; it must end in a byte less than 255, as every text does.
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
        /// How many changes the cluster has had.
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

    /// What an operation of kind range has found.
    func found(_ operation: Int) -> [KeyValue] {
        guard let responses, responses.indices.contains(operation) else { return [] }
        return responses[operation].response_range?.kvs ?? []
    }
}

/// A key that is there.
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

/// A lease; without a time to live it is over.
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
        /// The revision from which on there is a history, if that is why it was cancelled.
        let compact_revision: Number?
        let events: [Event]?
    }

    struct Event: Decodable, Sendable {}
}

/// Why a request was refused (gRPC's status).
struct RefusedAnswer: Decodable, Sendable {
    /// Its name since etcd 3.6; before, there was `error` beside it.
    let message: String
    let code: Int?
}
