internal import Foundation

/// Determines the depth and the number of values of a binary property list before Foundation decodes it.
///
/// Lists and dictionaries refer to their values by number, and can refer to one value many times: a file of one kilobyte can
/// represent more values than fit into memory, since Foundation copies each of them.
struct BinaryPropertyListOutline {
    private let data: [UInt8]
    private let referenceSize: Int
    private let offsetSize: Int
    private let objectCount: Int
    private let tableOffset: Int
    private let top: Int
    private var measured: [Int: Size] = [:]
    private var open: Set<Int> = []

    private struct Size {
        var values: Int
        var height: Int
    }

    /// Whether the list is within the limits of a configuration. `false` also if it is malformed or contains itself.
    static func isWithinLimits(_ data: Data) -> Bool {
        guard var outline = BinaryPropertyListOutline(data), let size = outline.measure(outline.top, depth: 0) else { return false }
        return size.values <= ConfigurationNode.maximumNodes
    }

    private init?(_ data: Data) {
        let trailerLength = 32
        guard data.count >= 8 + trailerLength else { return nil }
        self.data = Array(data)
        let trailer = self.data.count - trailerLength
        offsetSize = Int(self.data[trailer + 6])
        referenceSize = Int(self.data[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.number(self.data, at: trailer + 8, size: 8),
            let top = Self.number(self.data, at: trailer + 16, size: 8),
            let tableOffset = Self.number(self.data, at: trailer + 24, size: 8)
        else { return nil }
        self.objectCount = objectCount
        self.top = top
        self.tableOffset = tableOffset
    }

    /// Counts an object and the objects that it refers to, each as often as it is referred to; `nil` beyond the limits.
    private mutating func measure(_ object: Int, depth: Int) -> Size? {
        if let known = measured[object] {
            return depth + known.height <= ConfigurationNode.maximumDepth ? known : nil
        }
        guard depth <= ConfigurationNode.maximumDepth, open.insert(object).inserted, let named = references(of: object) else {
            return nil
        }
        var size = Size(values: 1, height: 0)
        for reference in named {
            guard let inner = measure(reference, depth: depth + 1) else { return nil }
            size.values += inner.values
            size.height = max(size.height, inner.height + 1)
            guard size.values <= ConfigurationNode.maximumNodes else { return nil }
        }
        open.remove(object)
        measured[object] = size
        return size
    }

    /// Returns the objects to which an object refers; `nil` if it is outside of the data.
    private func references(of object: Int) -> [Int]? {
        guard object < objectCount,
            let entry = Self.sum(tableOffset, Self.product(object, offsetSize)),
            let offset = Self.number(data, at: entry, size: offsetSize), offset < data.count
        else { return nil }
        let marker = data[offset]
        // Only arrays, sets and dictionaries refer to other objects.
        let perItem: Int
        switch marker >> 4 {
        case 0xA, 0xB, 0xC: perItem = 1
        case 0xD: perItem = 2
        default: return []
        }
        var count = Int(marker & 0xF)
        var start = offset + 1
        if count == 0xF {
            guard start < data.count, data[start] >> 4 == 1 else { return nil }
            let size = 1 << Int(data[start] & 0xF)
            guard size <= 8, let long = Self.number(data, at: start + 1, size: size) else { return nil }
            count = long
            start += 1 + size
        }
        guard count <= ConfigurationNode.maximumNodes else { return nil }
        var references: [Int] = []
        for index in 0..<(count * perItem) {
            guard let reference = Self.number(data, at: start + index * referenceSize, size: referenceSize) else { return nil }
            references.append(reference)
        }
        return references
    }

    private static func product(_ left: Int, _ right: Int) -> Int? {
        let (product, isTooLarge) = left.multipliedReportingOverflow(by: right)
        return isTooLarge ? nil : product
    }

    private static func sum(_ left: Int, _ right: Int?) -> Int? {
        guard let right else { return nil }
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? nil : sum
    }

    /// Returns a big-endian number; `nil` if it is outside of the data or exceeds `Int`.
    private static func number(_ data: [UInt8], at place: Int, size: Int) -> Int? {
        guard let end = sum(place, size), place >= 0, end <= data.count else { return nil }
        let value = data[place..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
