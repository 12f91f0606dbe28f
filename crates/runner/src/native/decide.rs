//! `decide`: whether another cycle is due (D17).

use tribunal_phase::Fact;
use tribunal_phase::cycle::{self, Decision};
use tribunal_recipe::Datum;

use super::{Given, Halt, Inputs, history};

pub(super) fn run(inputs: &Inputs) -> Result<Given, Halt> {
    let decision = cycle::decide(&inputs.cycle, inputs.limits.policy);
    let mut given = Given::new(Datum::from(decision.to_string()), vec![Fact::Decided(decision)]);
    if let Decision::Stop { .. } = decision {
        given.also = vec![
            ("run_figures", inputs.run_figures.clone()),
            ("run_findings", history::run_findings(inputs)?),
        ];
    }
    Ok(given)
}
