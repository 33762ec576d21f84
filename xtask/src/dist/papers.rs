//! What lies beside everything that is given away: licences, what is linked, checksums.

use super::bill;
use super::contents::Entry;
use super::licences;
use super::packages::{self, Packages, Product};
use crate::step::root;

/// What a product links, all of it under permissive licences.
pub fn linked(product: Product) -> Result<Packages, String> {
    let packages = packages::read(product)?;
    licences::check(&packages)?;
    Ok(packages)
}

/// Licences, what is linked, and the same for programs.
pub fn papers(packages: &Packages) -> Result<Vec<Entry>, String> {
    let mut papers = vec![
        Entry::text("THIRD-PARTY.md", licences::list(packages)),
        Entry::text("THIRD-PARTY-LICENSES.txt", licences::texts(packages)?),
        Entry::text("sbom.cdx.json", bill::cyclone_dx(packages)?),
    ];
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        papers.push(Entry::file(name, &root().join(name))?);
    }
    Ok(papers)
}

/// Sorted, and with a file of the checksums of all others.
pub fn with_sums(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let sums = entries
        .iter()
        .map(|e| format!("{}  {}\n", sha256(&e.bytes), e.path));
    let sums = sums.collect();
    entries.push(Entry::text("SHA256SUMS", sums));
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries
}

/// SHA-256 in hexadecimal digits, as `sha256sum` writes it.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), known);
    }
}
