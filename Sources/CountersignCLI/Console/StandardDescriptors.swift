import Foundation

/// The descriptors 0, 1 and 2 of the process.
enum StandardDescriptors {
    /// Opens those that are closed.
    ///
    /// Otherwise the next file or socket would have the number of a closed one, and receive what is written to the standard output or the
    /// standard error. Reading the opened descriptors, or writing to them, still fails with `EBADF`.
    ///
    /// The first call of the process, before another thread can open a file.
    static func reserve() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The system chooses the lowest number that is free, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
