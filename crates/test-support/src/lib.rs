//! For tests alone: a hermetic sandbox, real repositories and the scripted agent.
//!
//! Everything here panics with a sentence where it cannot go on: a test that lacks its surroundings
//! has failed.
//!
//! ```no_run
//! use tribunal_test_support::{Act, Cue, Fault, Role, Sandbox, Scenario};
//!
//! let sandbox = Sandbox::new();
//! let repo = sandbox.repo("shop");
//! let scenario = Scenario::new()
//!     .log(sandbox.log())
//!     .fault(Fault::new("F1", "src/cart.py", "except: pass", "except KeyError: raise"))
//!     .cue(Cue::to(Act::Fenced).step("validate-agent-2"))
//!     .cue(Cue::to(Act::Liar).role(Role::Fixer).turn(1));
//! scenario.plant(&repo);
//! repo.commit_all("a fault is planted");
//!
//! let outcome = sandbox
//!     .tribunal(&["audit", "."])
//!     .arg("--agent-command")
//!     .arg(sandbox.agent_command(&scenario))
//!     .dir(repo.root())
//!     .run();
//! outcome.expect_code(0);
//! ```

mod binaries;
mod model;
mod outcome;
mod polling;
mod portrait;
mod process_table;
mod program;
mod repo;
mod sandbox;
mod scenario;
mod wire;

pub use binaries::binary;
pub use model::{Asked, ScriptedModel, Turn};
pub use outcome::Outcome;
pub use polling::wait_until;
pub use portrait::Portrait;
pub use process_table::{carriers, children_of, processes_with_argument};
pub use program::{Program, Running};
pub use repo::Repo;
pub use sandbox::Sandbox;
pub use scenario::stamps;
pub use wire::{Act, Cue, Fault, Moment, Role, Scenario, Stamp};

pub use rustix::process::Signal;
