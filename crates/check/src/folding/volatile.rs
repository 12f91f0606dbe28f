//! What stands in a line and differs between two runs: how each kind begins and how long it is.

/// A matcher: the length of what it takes from the start of a text, and what stands for it.
pub(super) type Matcher = fn(&str) -> Option<(usize, &'static str)>;

/// In the order in which they are tried, where a run of letters and digits begins.
pub(super) const MATCHERS: &[Matcher] = &[time, uuid, address, duration, hex];

/// A name with an extension: `src/lib.rs`.
pub(super) fn is_file(word: &str) -> bool {
    let Some((stem, extension)) = word.rsplit_once('.') else { return false };
    let starts_well = extension.starts_with(|c: char| c.is_ascii_alphabetic());
    starts_well
        && extension.len() <= 6
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && !stem.is_empty()
}

/// `localhost`, `127.0.0.1`, `[::1]`; a port follows.
pub(super) fn is_host(word: &str) -> bool {
    let host = word.rsplit(['/', '@']).next().unwrap_or(word);
    let is_ip =
        host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok());
    is_ip || host == "localhost" || host.ends_with("::1]")
}

/// Whether nothing alphanumeric follows.
fn ends(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether the bytes are as the pattern says: `0` a digit, `h` a hex digit, else themselves.
fn is_like(text: &str, pattern: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= pattern.len()
        && pattern.bytes().zip(bytes).all(|(wanted, byte)| match wanted {
            b'0' => byte.is_ascii_digit(),
            b'h' => byte.is_ascii_hexdigit(),
            _ => wanted == *byte,
        })
}

/// `2030-01-01T10:00:01.123Z`, `2030-01-01 10:00:01 +02:00`, `10:00:01`, `2030-01-01`
fn time(text: &str) -> Option<(usize, &'static str)> {
    let date = if is_like(text, "0000-00-00") || is_like(text, "0000/00/00") { 10 } else { 0 };
    let gap = usize::from(date > 0 && text[date..].starts_with(['T', ' ', 't']));
    let clock = &text[date + gap..];
    let mut len = date;
    if is_like(clock, "00:00:00") {
        len = date + gap + 8;
        if let Some(fraction) = text[len..].strip_prefix(['.', ',']) {
            let fraction = digits(fraction);
            len += if fraction == 0 { 0 } else { 1 + fraction };
        }
        len += zone(&text[len..]);
    }
    (len > 0 && ends(text, len)).then_some((len, "‹time›"))
}

fn zone(text: &str) -> usize {
    let shown = text.strip_prefix(' ').unwrap_or(text);
    let gap = text.len() - shown.len();
    if text.starts_with('Z') {
        1
    } else if !shown.starts_with(['+', '-']) {
        0
    } else if is_like(&shown[1..], "00:00") {
        gap + 6
    } else if is_like(&shown[1..], "0000") {
        gap + 5
    } else {
        0
    }
}

fn uuid(text: &str) -> Option<(usize, &'static str)> {
    let is_one = is_like(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh") && ends(text, 36);
    is_one.then_some((36, "‹id›"))
}

/// `0x7ffd12a0`
fn address(text: &str) -> Option<(usize, &'static str)> {
    let hex = text.strip_prefix("0x")?;
    let len = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
    (len > 0 && ends(text, 2 + len)).then_some((2 + len, "‹address›"))
}

/// `0.31s`, `12ms`, `1m3s`, `1.5 seconds`
fn duration(text: &str) -> Option<(usize, &'static str)> {
    let mut len = 0;
    while let Some(part) = amount(&text[len..]) {
        len += part;
        if ends(text, len) {
            return Some((len, "‹duration›"));
        }
    }
    None
}

/// One number with its unit.
fn amount(text: &str) -> Option<usize> {
    let whole = digits(text);
    if whole == 0 {
        return None;
    }
    let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
    let number = if fraction == 0 { whole } else { whole + 1 + fraction };
    let unit = &text[number..];
    let spaced = [" seconds", " second", " secs", " sec", " milliseconds", " minutes", " ms", " s"];
    let close = ["ms", "us", "µs", "ns", "sec", "s", "min", "m", "h"];
    let unit = spaced.iter().find(|word| unit.starts_with(**word) && ends(unit, word.len()));
    let unit = unit.or_else(|| close.iter().find(|word| text[number..].starts_with(**word)))?;
    Some(number + unit.len())
}

/// A number of eight or more hex digits that is no word and no decimal number, or of sixteen.
fn hex(text: &str) -> Option<(usize, &'static str)> {
    let len = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let number = &text[..len];
    let is_mixed = number.bytes().any(|b| b.is_ascii_digit())
        && number.bytes().any(|b| b.is_ascii_alphabetic());
    (len >= 8 && (is_mixed || len >= 16) && ends(text, len)).then_some((len, "‹id›"))
}

/// A path below a folder for temporary files: its length, and its last part, which is kept where the
/// folder is not it.
pub(super) fn temporary(text: &str) -> Option<(usize, &str)> {
    let roots = ["/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/"];
    let root = roots.iter().find(|root| text.starts_with(**root))?;
    let ends_path = |c: char| {
        c.is_whitespace() || matches!(c, ':' | ',' | ';' | '\'' | '"' | ')' | ']' | '}' | '>' | '`')
    };
    let len = text.find(ends_path).unwrap_or(text.len());
    let below = text.get(root.len()..len)?;
    let kept = below.trim_end_matches('/').rfind('/').map_or("", |at| &below[at..]);
    Some((len, kept))
}

pub(super) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
