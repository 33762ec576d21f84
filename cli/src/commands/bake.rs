//! `pliant bake`: fills the cache.

use pliant_simulation::build::build_method;
use pliant_simulation::error::BuildError;
use serde_json::{Map, json};

use crate::args::Bake;
use crate::failure::{Failure, one_line};
use crate::options::parse_method;
use crate::output::Done;
use crate::report::metrics::cache_suffix;
use crate::session::Session;

/// Runs the command.
pub fn bake(session: &Session, args: &Bake) -> Result<Done, Failure> {
    session
        .cache
        .notice()
        .map_or(Ok(()), |why| Err(cache_failure(why)))?;
    let only = args.method.as_deref().map(parse_method).transpose()?;
    let loaded = session.load(&args.source, &args.import)?;
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(&loaded)?;
    let methods = only.map_or_else(|| setup.description.methods.clone(), |m| vec![m]);
    let mut result = Map::new();
    let mut lines = Vec::new();
    for method in methods {
        match build_method(&setup, method, &session.cache, &session.progress) {
            Ok(built) => {
                lines.push(format!(
                    "{}: {:.2} s{}",
                    method.name(),
                    built.seconds,
                    cache_suffix(built.from_cache)
                ));
                result.insert(method.name().into(), json!({ "applicable": true, "bake_s": built.seconds, "from_cache": built.from_cache }));
            }
            Err(BuildError::Cancelled) => return Err(BuildError::Cancelled.into()),
            Err(error) if only.is_some() => return Err(error.into()),
            Err(error) => {
                lines.push(format!(
                    "{}: {}",
                    method.name(),
                    one_line(&error.to_string())
                ));
                result.insert(method.name().into(), json!({ "applicable": false, "code": error.code(), "reason": error.to_string() }));
            }
        }
    }
    drop(watch);
    for line in lines {
        session.output.line(line);
    }
    session
        .cache
        .store_error()
        .map_or(Ok(()), |why| Err(cache_failure(&why)))?;
    Ok(Done::new(json!({ "methods": result })))
}

fn cache_failure(why: &str) -> Failure {
    Failure::bad_input(
        "Unwritable",
        format!("what is baked cannot be kept: {why}"),
        "choose another folder with --cache, or free some space",
    )
}
