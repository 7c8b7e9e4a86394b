// SPDX-License-Identifier: Apache-2.0

/// The names that HTML and XML have for characters of ASCII and Latin-1.
enum EntityNames {
    /// In the order of U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """
    private static let ascii: [(String, Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("AMP", "&"), ("LT", "<"), ("GT", ">"),
        ("QUOT", "\""), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"), ("lpar", "("), ("rpar", ")"),
        ("ast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"), ("colon", ":"), ("semi", ";"),
        ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("lbrack", "["), ("bsol", "\\"),
        ("rsqb", "]"), ("rbrack", "]"), ("Hat", "^"), ("lowbar", "_"), ("grave", "`"), ("lcub", "{"), ("lbrace", "{"),
        ("verbar", "|"), ("vert", "|"), ("rcub", "}"), ("rbrace", "}"),
    ]

    private static let scalars: [String: UInt32] = {
        var scalars: [String: UInt32] = [:]
        for (offset, name) in latin.split(separator: " ").enumerated() { scalars[String(name)] = 0xA0 + UInt32(offset) }
        for (name, scalar) in ascii { scalars[name] = scalar.value }
        return scalars
    }()

    /// Bytes of the longest name.
    static let longest = 8

    /// The character of a name, without `&` and `;`.
    static func scalar(_ name: String) -> UInt32? { scalars[name] }
}
