//! `KCRYPTO_FAULT`: drivers that fail their self-tests, to see what happens without them.

use std::env;

use kcrypto::selftest::Manager;
use kcrypto::{Flags, KindTag, Registry, Want};

use crate::failure::Failure;

/// Driver names with commas between them. Ignored where the program has others' rights.
const VARIABLE: &str = "KCRYPTO_FAULT";

/// The self-test hook with the faults that the environment declares; if there are some, the registry gets it.
pub(crate) fn install(registry: &Registry) -> Result<Manager, Failure> {
    let mut hook = Manager::default();
    let Some(list) = env::var_os(VARIABLE).filter(|_| !kcrypto::cpu::runs_with_others_rights()) else {
        return Ok(hook);
    };
    let list = list.into_string().map_err(|_| Failure::usage(format!("{VARIABLE}: not Unicode")))?;
    for driver in split(&list) {
        if !is_driver(registry, driver) {
            let message = format!("{VARIABLE}: no driver {driver:?}; `kcrypto list` names what there is");
            return Err(Failure::usage(message));
        }
        hook = hook.inject_fault(driver);
    }
    if hook.faults().next().is_some() {
        registry.set_self_test(std::sync::Arc::new(hook.clone()));
    }
    Ok(hook)
}

/// Whether this is the name of a driver, or of a composition that can be built.
fn is_driver(registry: &Registry, name: &str) -> bool {
    KindTag::ALL.iter().any(|&kind| {
        let want = Want::new(kind).either(Flags::ASYNC | Flags::INTERNAL);
        registry.explain(name, want).candidates.iter().any(|c| c.alg.driver_name == name)
    })
}

/// The names in a list; commas inside of parentheses belong to a name.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let names = list.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    names.map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_inside_of_names() {
        let list = " a-b, gcm_base(ctr(a-b),c-d),, e)(f,g) ";
        assert_eq!(split(list).collect::<Vec<_>>(), ["a-b", "gcm_base(ctr(a-b),c-d)", "e)(f,g)"]);
        assert_eq!(split("").count(), 0);
    }
}
