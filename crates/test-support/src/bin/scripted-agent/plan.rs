//! What an act comes to, once all its parts are laid over honest work.

use std::time::Duration;

use tribunal_test_support::Act;

/// Everything a call will do.
pub(crate) struct Plan {
    pub(crate) wait: Duration,
    pub(crate) stray_write: Option<String>,
    pub(crate) ballot: BallotWork,
    pub(crate) fix: FixWork,
    pub(crate) flood: u64,
    pub(crate) form: Form,
    pub(crate) end: End,
}

/// How a validator votes.
#[derive(Clone, Copy)]
pub(crate) enum BallotWork {
    Confirm,
    ConfirmTwice,
    Contradict,
    Reject,
}

/// How a fixer works.
pub(crate) enum FixWork {
    Mend(After),
    MendFirst,
    Claim,
    Skip(String),
    NewFile { path: String, text: String },
}

/// What a fixer does with git once the files are mended.
#[derive(Clone, Copy)]
pub(crate) enum After {
    Nothing,
    Stage,
    Commit,
}

/// How the answer is said.
pub(crate) enum Form {
    Bare,
    Prose,
    Fenced,
    LogsFirst,
    Silent,
    Garbage,
    NoBallot,
    TemplateEcho,
    Text(String),
}

/// How the process ends.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Exit(u8),
    Hang,
}

impl Plan {
    pub(crate) fn of(act: &Act) -> Self {
        let mut plan = Self {
            wait: Duration::ZERO,
            stray_write: None,
            ballot: BallotWork::Confirm,
            fix: FixWork::Mend(After::Nothing),
            flood: 0,
            form: Form::Bare,
            end: End::Exit(0),
        };
        plan.add(act);
        plan
    }

    fn add(&mut self, act: &Act) {
        match act {
            Act::Honest => {}

            Act::Prose => self.form = Form::Prose,
            Act::Fenced => self.form = Form::Fenced,
            Act::LogsFirst => self.form = Form::LogsFirst,
            Act::Silent => self.form = Form::Silent,
            Act::Garbage => self.form = Form::Garbage,
            Act::NoBallot => self.form = Form::NoBallot,
            Act::TemplateEcho => self.form = Form::TemplateEcho,
            Act::Say(text) => self.form = Form::Text(text.clone()),

            Act::DoubleVoter => self.ballot = BallotWork::ConfirmTwice,
            Act::ContradictingVoter => self.ballot = BallotWork::Contradict,
            Act::Rejects => self.ballot = BallotWork::Reject,

            Act::Liar => self.fix = FixWork::Claim,
            Act::Partial => self.fix = FixWork::MendFirst,
            Act::Excuses(reason) => self.fix = FixWork::Skip(reason.clone()),
            Act::Committer => self.fix = FixWork::Mend(After::Commit),
            Act::Stager => self.fix = FixWork::Mend(After::Stage),
            Act::NewFile { path, text } => {
                self.fix = FixWork::NewFile { path: path.clone(), text: text.clone() };
            }

            Act::WritesAlthoughReadOnly(path) => self.stray_write = Some(path.clone()),
            Act::Slow(millis) => self.wait += Duration::from_millis(*millis),
            Act::Flood(bytes) => self.flood = *bytes,
            // As `exit` does: only the low eight bits of a code reach the parent.
            Act::Exit(code) => self.end = End::Exit(code.to_le_bytes()[0]),
            Act::Hang => self.end = End::Hang,

            Act::All(acts) => acts.iter().for_each(|act| self.add(act)),
        }
    }
}
