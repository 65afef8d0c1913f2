internal import Countersign

/// The header of every file of a store: a magic number, the kind of file, and the version of the format.
enum FileHeader {
    /// The kinds of file.
    enum Kind: UInt8 {
        case marker = 1
        case entry = 2
    }

    static let formatVersion: UInt8 = 1
    static let byteCount = magic.count + 2
    private static let magic = Array("countersign\0".utf8)

    static func bytes(_ kind: Kind) -> [UInt8] { magic + [kind.rawValue, formatVersion] }

    /// Checks the header and returns what follows it.
    static func rest(of bytes: [UInt8], _ kind: Kind, path: String) throws(CredentialStoreError) -> ArraySlice<UInt8> {
        // A file that is a prefix of a valid header was truncated, since nothing else writes such a file.
        let begin = magic + [kind.rawValue]
        guard bytes.count >= byteCount else {
            let isCutOff = (begin + [formatVersion]).starts(with: bytes)
            throw CredentialStoreError(isCutOff ? .corrupt : .foreign, detail: "the file is too short", path: path)
        }
        guard bytes.starts(with: begin) else {
            throw CredentialStoreError(.foreign, detail: "the file is not a file of such a store", path: path)
        }
        guard bytes[byteCount - 1] == formatVersion else {
            throw CredentialStoreError(.unsupportedFormat, detail: "the file has another format version", path: path)
        }
        return bytes[byteCount...]
    }
}
