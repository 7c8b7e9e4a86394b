// SPDX-License-Identifier: Apache-2.0

import Platform

extension Diagnosis {
    /// What keeps the daemon from its files.
    static func files(_ facts: DoctorFacts) -> [Finding] {
        let mounts = mounts(facts.files)
        let wrong = facts.files.compactMap { file in owner(file, facts.user) ?? mode(file) }
        return mounts + wrong.prefix(8)
    }

    private static func owner(_ file: FileFacts, _ user: UInt32) -> Finding? {
        guard file.owner != user else { return nil }
        let path = ShellWord.quote(file.path)
        return .fault(
            "files",
            "\(path) is not yours, so the daemon does not use it",
            seen: "it belongs to user \(file.owner), and you are user \(user)",
            .command("sudo chown \(user) \(path)")
        )
    }

    private static func mode(_ file: FileFacts) -> Finding? {
        guard file.mode & FileFacts.others != 0, !file.isSocket else { return nil }
        let path = ShellWord.quote(file.path)
        return .fault(
            "files",
            "\(path) is open to other users, so the daemon does not use it",
            seen: "its mode is \(String(file.mode, radix: 8))",
            .command("chmod \(file.isDirectory ? "700" : "600") \(path)")
        )
    }

    private static func mounts(_ files: [FileFacts]) -> [Finding] {
        let readOnly = Set(files.compactMap(\.readOnlyMount)).sorted().map { mount -> Finding in
            .fault(
                "disk",
                "nothing can be saved: the file system is read-only",
                seen: "\(ShellWord.quote(mount)) is mounted so",
                .command("sudo mount -o remount,rw \(ShellWord.quote(mount))")
            )
        }
        let full = Set(files.compactMap(\.fullMount)).sorted().map { mount -> Finding in
            .fault(
                "disk",
                "nothing can be saved: the file system is full",
                seen: "\(ShellWord.quote(mount)) has no room left",
                .advice("make room there: 'du -xh \(ShellWord.quote(mount)) | sort -h | tail' shows what is large")
            )
        }
        return readOnly + full
    }
}
