//! The skills that say how to do either phase well.

/// Name and text of each: a skill is a folder of this name with the text as its `SKILL.md`.
pub const SKILLS: &[(&str, &str)] = &[
    ("code-review", include_str!("../skills/code-review/SKILL.md")),
    ("code-simplification", include_str!("../skills/code-simplification/SKILL.md")),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a key in the front matter.
    fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
        let (front, _) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
        front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
    }

    /// The rules of the format: name, description, length.
    #[test]
    fn skills_are_valid() {
        for (name, text) in SKILLS {
            assert_eq!(field(text, "name"), Some(*name));
            let fits = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            assert!(fits && name.len() <= 64, "{name}");
            let description = field(text, "description").unwrap_or_default();
            assert!((1..=1024).contains(&description.chars().count()), "{name}");
            assert!(!description.contains(['<', '>']), "{name}");
            assert!(text.lines().count() < 500, "{name}");
        }
    }

    #[test]
    fn skills_name_the_tools_of_their_phase() {
        let tools = [("code-review", "audit_review"), ("code-simplification", "audit_simplify")];
        for (name, tool) in tools {
            let skill = SKILLS.iter().find(|(known, _)| *known == name).expect("it is there");
            assert!(skill.1.contains(tool), "{name}");
        }
    }
}
