import Foundation

/// A small file that is read from beginning to end, which can be a pipe such as `<(…)` of a shell.
enum WholeFile {
    private static let maximumSize = 32 << 20

    /// Returns the bytes; `nil` if the file cannot be read or has more than 32 MiB. Waits for the writer of a pipe, which
    /// `Data(contentsOf:)` does not.
    static func bytes(atPath path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: maximumSize + 1) ?? Data()
        else { return nil }
        return data.count <= maximumSize ? data : nil
    }
}
