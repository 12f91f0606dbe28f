//! `cargo fuzz run --sanitizer none reply`: what the contracts' readers take, they take again as they
//! write it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_finding::{EntryProblem, is_finding_entry, list_entries, read_findings, read_mentions};
use tribunal_verdict::{Wanted, extract};
use tribunal_verify::{FixReport, is_fix_entry};

fuzz_target!(|raw: &[u8]| {
    // As an agent says it, and as the bare object.
    let said = extract(raw, &Wanted { key: "findings", entry: is_finding_entry });
    let text = String::from_utf8_lossy(raw);
    for json in said.json().into_iter().chain([&*text]) {
        findings(json);
        fix_report(json);
    }
});

fn findings(json: &str) {
    let Ok(listed) = list_entries(json, "findings") else {
        assert!(read_findings(json).is_err(), "no list, no findings: {json}");
        return;
    };
    let (findings, problems) = read_findings(json).expect("a list is read");
    let fits = listed.iter().filter(|entry| is_finding_entry(entry)).count();
    assert_eq!(findings.len(), fits, "each entry alone, and none is lost");
    for (index, _) in listed.iter().enumerate().filter(|(_, entry)| !is_finding_entry(entry)) {
        let at = format!("/findings/{index}");
        let is_named = |problem: &EntryProblem| {
            problem.at.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        assert!(problems.iter().any(is_named), "{at} is dropped without a word: {problems:?}");
    }
    let mut ids: Vec<_> = findings.iter().map(|finding| &finding.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), findings.len(), "ids are unique");
    let (mentions, _) = read_mentions(json).expect("the same list");
    assert!(mentions.len() >= findings.len(), "a finding is a mention");
    let written = serde_json::to_string(&findings).expect("plain data");
    let again = read_findings(&format!("{{\"findings\":{written}}}"));
    assert_eq!(again, Ok((findings, Vec::new())));
}

fn fix_report(json: &str) {
    let Ok((report, problems)) = FixReport::read(json) else { return };
    let listed = list_entries(json, "fixes_applied").expect("a report has the list");
    let fits = listed.iter().filter(|entry| is_fix_entry(entry)).count();
    assert_eq!(report.fixes_applied.len(), fits, "{problems:?}");
    let written = serde_json::to_string(&report).expect("plain data");
    assert_eq!(FixReport::read(&written), Ok((report, Vec::new())));
}
