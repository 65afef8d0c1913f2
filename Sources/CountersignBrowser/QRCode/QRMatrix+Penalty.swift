extension QRMatrix {
    /// The penalty for patterns that impair reading; lower is better (ISO/IEC 18004, table 11).
    var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        let lines = (rows + columns).reduce(0) { $0 + Self.runs(in: $1) + Self.finderLikes(in: $1) }
        return lines + squares(in: rows) + imbalance(in: rows)
    }

    /// Returns the penalty for five or more modules of one colour in a line: 3, and 1 for each module beyond five.
    private static func runs(in line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        var previous: Bool?
        for module in line {
            length = module == previous ? length + 1 : 1
            previous = module
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Returns the penalty for patterns that resemble a finder pattern with four light modules on one side: 40 each.
    private static func finderLikes(in line: [Bool]) -> Int {
        // The modules are bits. Those outside of the code are light.
        let finder = 0b1011101
        let (before, after) = (finder, finder << 4)
        var window = 0
        var penalty = 0
        for module in line + [false, false, false, false] {
            window = (window << 1 | (module ? 1 : 0)) & 0b111_1111_1111
            if window == before || window == after { penalty += 40 }
        }
        return penalty
    }

    /// Returns the penalty for squares of two by two modules of one colour: 3 each.
    private func squares(in rows: [[Bool]]) -> Int {
        var penalty = 0
        for row in 1..<size {
            for column in 1..<size {
                let module = rows[row][column]
                guard module == rows[row][column - 1], module == rows[row - 1][column], module == rows[row - 1][column - 1] else {
                    continue
                }
                penalty += 3
            }
        }
        return penalty
    }

    /// Returns the penalty for the share of dark modules: 10 for each 5 % of deviation from one half.
    private func imbalance(in rows: [[Bool]]) -> Int {
        let dark = rows.reduce(0) { $0 + $1.filter(\.self).count }
        let all = size * size
        return abs(20 * dark - 10 * all) / all * 10
    }
}
