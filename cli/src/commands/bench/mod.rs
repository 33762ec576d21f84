//! `pliant bench`: kernels and their limits on this machine.

mod machine;
mod timing;

use pliant_core::bench::{BenchCase, BenchKernel, Quantity};
use pliant_simulation::benchmark::kernels;
use serde_json::{Value, json};

use crate::args::Bench;
use crate::failure::Failure;
use crate::machine::cores;
use crate::output::Done;
use crate::session::Session;
use machine::{Machine, MemoryReader};
use timing::Times;

/// Largest size over the largest usual one.
const MAX_SIZE_FACTOR: usize = 20;

/// Runs the command.
pub fn bench(session: &Session, args: &Bench) -> Result<Done, Failure> {
    let known = kernels();
    if args.list {
        for kernel in &known {
            let line = format!("{:<20} {}", kernel.name, kernel.about);
            session.output.line(line);
        }
        let names: Vec<&str> = known.iter().map(|k| k.name).collect();
        return Ok(Done::new(json!({ "names": names })));
    }
    let chosen = choose_kernels(&known, &args.names)?;
    let cores = cores();
    let counts = match session.threads {
        Some(threads) => vec![threads],
        None if cores == 1 => vec![1],
        None => vec![1, cores],
    };
    let reader = MemoryReader::new();
    let mut results = Vec::new();
    let mut machines = Vec::new();
    for &threads in &counts {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|e| {
                Failure::bad_input(
                    "Threads",
                    format!("{threads} threads cannot be started: {e}"),
                    "ask for fewer with --threads",
                )
            })?;
        let machine = pool.install(|| Machine::measure(&reader));
        session.output.line(format!(
            "{threads} thread(s): memory read {:.1} GB/s, {:.0} GFLOP/s in single precision",
            machine.stream_gb_s, machine.peak_gflops_f32
        ));
        for kernel in &chosen {
            // a serial kernel is timed with one thread only
            if threads > 1 && !kernel.parallel && counts.len() > 1 {
                continue;
            }
            let sizes = args
                .size
                .map_or(kernel.sizes.to_vec(), |size| vec![size as usize]);
            for size in sizes {
                session.progress.check()?;
                results
                    .push(pool.install(|| run_kernel(session, kernel, size, &machine, &reader))?);
            }
        }
        machines.push(machine);
    }
    let by_threads: Vec<Value> = machines.iter().map(machine_json).collect();
    let first = machines.first().map_or(Value::Null, machine_json);
    let mut machine = first;
    machine["cores"] = json!(cores);
    machine["by_threads"] = json!(by_threads);
    Ok(Done::new(json!({ "machine": machine, "results": results })))
}

fn choose_kernels(known: &[BenchKernel], names: &[String]) -> Result<Vec<BenchKernel>, Failure> {
    if names.is_empty() {
        return Ok(known.to_vec());
    }
    names
        .iter()
        .map(|name| {
            known
                .iter()
                .find(|k| k.name == name)
                .copied()
                .ok_or_else(|| {
                    let failure = Failure::bad_input(
                        "UnknownKernel",
                        format!("there is no kernel `{name}`"),
                        "`pliant bench --list` lists what is there",
                    );
                    failure.meaning(name, known.iter().map(|k| k.name))
                })
        })
        .collect()
}

/// Prepares the case of `kernel` at a size, unless it is far beyond the usual ones.
fn prepare_case(kernel: &BenchKernel, size: usize) -> Result<BenchCase, Failure> {
    let usual = kernel.sizes.iter().max().copied().unwrap_or(size);
    if size > usual.saturating_mul(MAX_SIZE_FACTOR) {
        return Err(Failure::bad_input(
            "BenchFailed",
            format!(
                "{} at size {size}: that is far beyond the usual ones, {:?}",
                kernel.name, kernel.sizes
            ),
            format!(
                "--size {} is the largest",
                usual.saturating_mul(MAX_SIZE_FACTOR)
            ),
        ));
    }
    (kernel.prepare)(size).map_err(|why| {
        Failure::bad_input(
            "BenchFailed",
            format!("{} at size {size}: {why}", kernel.name),
            "try another --size",
        )
    })
}

/// The times of `case`, and the limits that apply to it. A memory-bound kernel is timed alternately with memory reads, because the load of a shared machine varies.
fn time_case(
    case: &mut BenchCase,
    kernel: &BenchKernel,
    machine: &Machine,
    reader: &MemoryReader,
) -> (Times, Machine) {
    if kernel.quantity != Quantity::GigabytesPerSecond {
        return (timing::time(&mut case.run), *machine);
    }
    let bandwidth_reader = case.bandwidth_memory.take().map(MemoryReader::from_numbers);
    let reader = bandwidth_reader.as_ref().unwrap_or(reader);
    let (times, reads) = timing::time_alternately(&mut case.run, &mut || reader.read());
    let stream_gb_s = reader.gb_s(reads.median);
    (
        times,
        Machine {
            stream_gb_s,
            ..*machine
        },
    )
}

fn run_kernel(
    session: &Session,
    kernel: &BenchKernel,
    size: usize,
    machine: &Machine,
    reader: &MemoryReader,
) -> Result<Value, Failure> {
    let mut case = prepare_case(kernel, size)?;
    let (times, machine) = time_case(&mut case, kernel, machine, reader);
    let stages = case.stages.as_ref().map(|stages| stages());
    let reference = case
        .reference
        .as_mut()
        .map(|(items, run)| (*items, timing::time(run).median));
    let least = machine.min_seconds(case.work.bytes, case.work.flops, case.work.double);
    let quantity = kernel.quantity;
    let value_of = |seconds| quantity.value(seconds, case.items, case.work.bytes);
    let (value, limit, reference_value) = match (quantity, reference) {
        (Quantity::SpeedUp, Some((_, slow))) => (
            slow / times.median,
            case.work_ratio.unwrap_or(f64::NAN),
            Some(1.0),
        ),
        (_, reference) => (
            value_of(times.median),
            if least > 0.0 {
                value_of(least)
            } else {
                f64::NAN
            },
            reference.map(|(items, s)| quantity.value(s, items, case.work.bytes)),
        ),
    };
    let fraction = if quantity.is_rate() {
        value / limit
    } else {
        limit / value
    };
    let unit = quantity.unit();
    let out = &session.output;
    out.line(format!(
        "{:<20} {:>9} {:>2} thr {:>12.4} {:<12} limit {:>10.4} ({:>5.1} %){}",
        kernel.name,
        case.size,
        machine.threads,
        value,
        unit,
        limit,
        100.0 * fraction,
        reference_value.map_or(String::new(), |r| format!("  reference {r:.4}")),
    ));
    let stages = stages.map_or(Value::Null, |stages| {
        let parts = stages.iter().map(|(name, ms)| format!("{name} {ms:.3}"));
        let parts = parts.collect::<Vec<_>>().join(", ");
        out.line(format!("{:<20} the last run, ms: {parts}", ""));
        stages.into_iter().collect()
    });
    for (name, value) in &case.facts {
        out.line(format!("{:<20} {value:>9.4} {name}", ""));
    }
    let facts: Value = case.facts.iter().copied().collect();
    Ok(json!({
        "name": kernel.name, "size": case.size, "threads": machine.threads, "unit": unit,
        "value": value, "limit": limit, "fraction_of_limit": fraction,
        "reference_value": reference_value,
        "best": value_of(times.min), "worst": value_of(times.max), "samples": times.count,
        "stages_ms": stages, "facts": facts,
    }))
}

fn machine_json(machine: &Machine) -> Value {
    json!({
        "threads": machine.threads, "stream_gb_s": machine.stream_gb_s,
        "peak_gflops_f32": machine.peak_gflops_f32,
    })
}
