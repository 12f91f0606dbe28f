//! `tribunal trust`.

use tribunal_runner::locate;

use crate::args::TrustArgs;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};
use crate::trust::Trust;

pub(crate) fn run(front: &Front, args: &TrustArgs) -> Result<ExitStatus, Failure> {
    let path = args.path.to_string_lossy();
    let root = locate(&path, false, &front.places.surroundings())?.root;
    let mut trust = Trust::read(&front.places)?;
    let text = if args.revoke {
        if trust.revoke(&root)? {
            format!("{} is trusted no longer", root.display())
        } else {
            format!("{} was not trusted", root.display())
        }
    } else {
        trust.grant(&root)?;
        format!(
            "{}: tribunal.yaml and .tribunal/ are trusted as they are now; after a change they must be \
             trusted again",
            root.display()
        )
    };
    print(&text)?;
    Ok(ExitStatus::Holds)
}
