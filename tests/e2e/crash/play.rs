//! The audits that are killed.

use tribunal_test_support::{Act, Cue, Fault, Repo, Role, Sandbox, Scenario};

/// An audit with its repository and its agents.
#[derive(Clone, Copy)]
pub(super) enum Play {
    /// Three cycles. First: two faults, a silent validator, a fixer that leaves one of them to a
    /// second turn. Second: another fault, a validator that says garbage, a fixer that commits. Third:
    /// nothing is found.
    ThreeCycles,
    /// The first cycle of these alone.
    OneCycle,
    /// One cycle, whose seeker changes the tree when it is asked first.
    StrayWriter,
    /// One cycle of a recipe that stands in a file.
    RecipeFile,
}

/// The recipe of [`Play::RecipeFile`], beside the repository.
pub(super) const RECIPE_FILE: &str = "audit.yaml";

impl Play {
    pub(super) fn scenario(self, sandbox: &Sandbox) -> Scenario {
        let scenario = Scenario::new()
            .log(sandbox.log())
            .fault(Fault::new("F1", "src/cart.py", "except: pass", "except KeyError: raise"))
            .fault(Fault::new("F2", "src/pay.py", "timeout=None", "timeout=30"))
            .fault(
                Fault::new("F3", "src/ship.py", "assert parcel", "parcel.check()")
                    .severity("medium")
                    .from_cycle(2),
            )
            .cue(Cue::to(Act::Silent).step("validate-agent-2").cycle(1))
            .cue(Cue::to(Act::Garbage).step("validate-agent-3").cycle(2))
            .cue(Cue::to(Act::Partial).role(Role::Fixer).cycle(1).turn(1))
            .cue(Cue::to(Act::Committer).role(Role::Fixer).cycle(2));
        match self {
            Self::StrayWriter => {
                let stray = Act::WritesAlthoughReadOnly("src/stray.py".to_owned());
                scenario.cue(Cue::to(stray).step("seek").turn(1))
            }
            Self::ThreeCycles | Self::OneCycle | Self::RecipeFile => scenario,
        }
    }

    pub(super) fn arguments(self) -> Vec<String> {
        let (start, cycles) = match self {
            Self::ThreeCycles => (&["audit", "."][..], 3),
            Self::OneCycle | Self::StrayWriter => (&["audit", "."][..], 1),
            Self::RecipeFile => (&["recipe", "run", "../audit.yaml"][..], 1),
        };
        let bounds = [format!("min_cycles={cycles}"), format!("max_cycles={cycles}")];
        let start = start.iter().map(|&word| word.to_owned());
        start.chain(bounds.into_iter().flat_map(|bound| ["-c".to_owned(), bound])).collect()
    }

    /// A repository with the faults, and with work that is not committed.
    pub(super) fn repository(self, sandbox: &Sandbox, scenario: &Scenario) -> Repo {
        let repo = sandbox.repo("shop");
        for name in ["cart", "pay", "ship"] {
            repo.write(&format!("src/{name}.py"), format!("# {name}\n"));
        }
        repo.write("README.md", "# Shop\n");
        scenario.plant(&repo);
        repo.commit_all("the shop opens");
        repo.append("README.md", "Not committed.\n").write("notes.txt", "Not tracked.\n");
        repo
    }
}
