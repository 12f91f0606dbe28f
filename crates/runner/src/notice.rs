//! What a run tells while it goes on.

/// One thing to tell the user; how it is shown is the front end's affair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The run exists and can be named.
    Started {
        /// Its id.
        run: String,
        /// What it follows.
        recipe: String,
        /// Where the recipe was found.
        origin: String,
        /// Whether it stands in for a built-in recipe.
        shadows: bool,
    },
    /// A cycle begins.
    Cycle {
        /// Its number.
        number: u32,
    },
    /// A call is launched.
    Launched {
        /// The cycle.
        cycle: u32,
        /// The step.
        step: String,
        /// Who is asked; `None` for a command.
        agent: Option<String>,
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// A call has ended.
    Ended {
        /// The cycle.
        cycle: u32,
        /// The step.
        step: String,
        /// How, in a few words.
        how: String,
        /// How long it took, in milliseconds.
        wall: u64,
    },
    /// A step was computed.
    Computed {
        /// The cycle.
        cycle: u32,
        /// The step.
        step: String,
    },
    /// A line of the result.
    Result(String),
    /// Something to be aware of.
    Warning(String),
    /// Why the run cannot go on.
    Fatal(String),
}
