//! `merge-ballots`: the vote (D6–D11).

use tribunal_phase::{Contract, Fact, Failure, Heard, Rated, Role};
use tribunal_vote::{Known, Standing, fatal, merge, note, warning};

use super::inputs::to_datum;
use super::{Given, Halt, Inputs, Said, read};

pub(super) fn run(inputs: &Inputs) -> Result<Given, Halt> {
    let known: Vec<Known> = inputs.findings()?.iter().map(Known::from).collect();
    let mut standings = Vec::new();
    let mut places = Vec::new();
    for number in 1..=u8::try_from(inputs.validators).unwrap_or(u8::MAX) {
        let (standing, place) = standing(inputs, number);
        standings.push(standing);
        places.push(place);
    }
    let mut said = Vec::new();
    for (index, (standing, place)) in standings.iter().zip(&places).enumerate() {
        let text = warning(index + 1, standing, place.as_deref().unwrap_or("(not kept)"));
        said.extend(text.map(Said::Warning));
    }
    match merge(inputs.cycle.cycle(), inputs.limits.threshold, Some(&known), &standings) {
        Ok(merged) => {
            said.extend(merged.warnings.iter().map(|warning| Said::Warning(note(warning))));
            let confirmed = merged.tally.confirmed().map(|confirmed| Rated {
                id: confirmed.id().clone(),
                severity: confirmed.decision_severity(),
            });
            let facts = vec![Fact::Tallied { confirmed: confirmed.collect() }];
            Ok(Given { said, ..Given::new(to_datum(&merged.tally), facts) })
        }
        Err(_) => {
            let listed: Vec<(usize, &str)> = places
                .iter()
                .enumerate()
                .filter_map(|(index, place)| Some((index + 1, place.as_deref()?)))
                .collect();
            said.push(Said::Fatal(fatal(&listed)));
            Err(Halt { failure: Failure::Gate, said })
        }
    }
}

/// What the validator of this position gave: the last of its replies counts.
fn standing(inputs: &Inputs, number: u8) -> (Standing, Option<String>) {
    let Some(reply) =
        inputs.replies.iter().rev().find(|reply| reply.role == Role::Validator(number))
    else {
        // Not asked, because there was nothing to vote on (D20).
        return (Standing::Empty, None);
    };
    let standing = match &reply.heard {
        Heard::Fault(fault) => {
            let text = fault.to_string();
            let how = text.strip_prefix("failed (").and_then(|rest| rest.strip_suffix(')'));
            Standing::Failed { how: how.unwrap_or(&text).to_owned() }
        }
        Heard::Said(_) => Standing::of(&read::extraction(Contract::Ballot, &reply.bytes)),
    };
    (standing, reply.place.clone())
}
