// SPDX-License-Identifier: Apache-2.0

/// The functions that a statement from an untrusted source may call. All others are refused: those that load code, read
/// pointers or show the state of the connection, and those that a later version of SQLite adds.
enum SQLiteFunctions {
    private static let allowed: Set<String> = [
        "abs", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "if", "ifnull", "iif", "instr",
        "length",
        "like", "likelihood", "likely", "lower", "ltrim", "max", "min", "nullif", "octet_length", "printf", "quote",
        "random", "randomblob", "replace", "round", "rtrim", "sign", "soundex", "substr", "substring", "trim", "typeof",
        "unhex", "unicode", "unlikely", "upper", "zeroblob",
        // Dates and times.
        "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday", "strftime", "time",
        "timediff", "unixepoch",
        // Aggregates and windows.
        "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag", "last_value", "lead", "median",
        "nth_value", "ntile", "percent_rank", "percentile", "percentile_cont", "percentile_disc", "rank", "row_number",
        "string_agg", "sum", "total",
        // Mathematics.
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp",
        "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sinh", "sqrt", "tan",
        "tanh", "trunc",
        // JSON.
        "->", "->>", "json", "json_array", "json_array_length", "json_error_position", "json_extract",
        "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch", "json_pretty",
        "json_quote",
        "json_remove", "json_replace", "json_set", "json_type", "json_valid",
    ]

    /// - Parameter name: in any case of ASCII letters.
    static func allows(_ name: String) -> Bool { allowed.contains(name.lowercased()) }
}
