//! The data blocks of a prompt.

use crate::fault::Fault;

/// A prompt whose data stands between `<<MARK name` and `MARK>>` lines (D41).
///
/// Everything outside the blocks is prose for models and is not read.
pub(crate) struct Prompt<'p> {
    text: &'p str,
    marker: &'p str,
}

impl<'p> Prompt<'p> {
    pub(crate) fn new(text: &'p str, marker: &'p str) -> Self {
        Self { text, marker }
    }

    /// The data of the first block of that name; `None` where it has none or the block never ends.
    pub(crate) fn block(&self, name: &str) -> Option<&'p str> {
        let opening = format!("<<{} {name}", self.marker);
        let closing = format!("{}>>", self.marker);
        let mut from = None;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let end = at + line.len();
            match from {
                None if line.trim() == opening => from = Some(end),
                Some(start) if line.trim() == closing => return Some(self.text[start..at].trim()),
                None | Some(_) => {}
            }
            at = end;
        }
        None
    }

    /// The data of a block that the role cannot do without.
    pub(crate) fn needed(&self, name: &'static str) -> Result<&'p str, Fault> {
        self.block(name).ok_or(Fault::NoBlock(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(Prompt::new(text, "M-1").block("audit_findings"), expected, "{text}");
    }

    #[test]
    fn a_block_is_what_stands_between_its_two_lines() {
        check("Look.\n<<M-1 audit_findings\n{\"a\":1}\nM-1>>\nGo.", Some("{\"a\":1}"));
        check("<<M-1 audit_findings\r\n{}\r\nM-1>>\r\n", Some("{}"));
        check("<<M-1 audit_findings\na\nb\nM-1>>", Some("a\nb"));
        check("<<M-1 other\nx\nM-1>>\n<<M-1 audit_findings\ny\nM-1>>\n", Some("y"));
        check("<<M-1 audit_findings\nM-1>>\n", Some(""));
    }

    #[test]
    fn another_marker_an_open_block_or_a_longer_name_is_no_block() {
        check("<<M-2 audit_findings\n{}\nM-2>>\n", None);
        check("<<M-1 audit_findings\n{}\n", None);
        check("<<M-1 audit_findings_old\n{}\nM-1>>\n", None);
        check("say <<M-1 audit_findings\n{}\nM-1>>\n", None);
    }
}
