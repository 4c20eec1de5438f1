//! To which class a case belongs, and whether the lists of `known` say so.

use super::known::{DIFFERENCES, Difference, NOT_APPLICABLE, Reason};
use super::{Case, Expectation, Ours, differences};

/// The class of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Read as the peer expects.
    Equal,
    /// Read as a rule of ours says, which is listed.
    ByOurRule,
    /// Nothing of it can be compared, for a listed reason.
    NotApplicable,
}

/// The class of `case`, or what is wrong with it or with its entry in the lists.
pub fn verdict(case: &Case) -> Result<Class, String> {
    let difference = DIFFERENCES.iter().find(|known| known.case == case.name);
    let reason = NOT_APPLICABLE.iter().find(|known| known.0 == case.name).map(|known| known.1);
    let expectation = case.expectation();
    let reading = case.read(&expectation);
    match (difference, reason) {
        (Some(_), Some(_)) => Err("is in both lists".to_owned()),
        (None, Some(reason)) => applies(reason, &expectation, &reading).map(|()| Class::NotApplicable),
        (known, None) if !expectation.is_empty() => compared(known, &expectation, &reading?),
        _ => Err("has nothing to compare, and is in no list".to_owned()),
    }
}

/// Entries of the lists that name none of these cases, or one of them twice.
pub fn stray_entries(cases: &[String]) -> Vec<String> {
    let mut listed: Vec<&str> = DIFFERENCES.iter().map(|known| known.case).collect();
    listed.extend(NOT_APPLICABLE.iter().map(|known| known.0));
    listed.sort_unstable();
    let doubled = listed.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let unknown = listed.iter().copied().filter(|name| !cases.iter().any(|case| case == name));
    doubled.chain(unknown).map(str::to_owned).collect()
}

fn compared(known: Option<&Difference>, expectation: &Expectation, ours: &Ours) -> Result<Class, String> {
    let found = differences(expectation, ours);
    match known {
        None if found.is_empty() => Ok(Class::Equal),
        None => Err(format!("differs: {found:#?}")),
        Some(known) if known.ours == found => Ok(Class::ByOurRule),
        Some(known) => {
            Err(format!("is listed as differing since {}, but differs so: {found:#?}", known.rule))
        }
    }
}

/// Whether a reason not to compare still holds.
fn applies(reason: Reason, expectation: &Expectation, reading: &Result<Ours, String>) -> Result<(), String> {
    match (reason, reading) {
        (Reason::NoTrace(_), Err(error)) if error.contains("This is no trace") => Ok(()),
        (Reason::NoTrace(what), _) => Err(format!("is listed as {what}, but is read")),
        (Reason::NoPlace(_), _) if expectation.is_empty() => Ok(()),
        (Reason::NoPlace(what), _) => Err(format!("can be compared, and is listed: {what}")),
        (Reason::Phases(phases), Ok(ours)) => {
            let unread: String = ours.unsupported.keys().map(String::as_str).collect();
            let reads_any =
                ["slices", "instants", "counters"].iter().any(|name| !ours.tables[name].is_empty());
            if unread != phases {
                return Err(format!("is listed for the phases {phases}, and those not read are {unread}"));
            }
            match reads_any && !expectation.is_empty() {
                true => Err(format!("can be compared beside its phases {phases}")),
                false => Ok(()),
            }
        }
        (Reason::Phases(_), Err(error)) => Err(error.clone()),
    }
}
