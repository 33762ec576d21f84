//! Notices in every archive: licences, list of linked packages, checksums.

use super::contents::Entry;
use super::licences;
use super::packages::{self, Packages, Product};
use super::sbom;
use crate::step::root;

/// The packages that a product links. An error if a licence is not permissive.
pub fn linked(product: Product) -> Result<Packages, String> {
    let packages = packages::read(product)?;
    licences::check(&packages)?;
    Ok(packages)
}

/// Licences, list of linked packages, and the list as a software bill of materials.
pub fn notices(packages: &Packages) -> Result<Vec<Entry>, String> {
    let mut notices = vec![
        Entry::text("THIRD-PARTY.md", licences::list(packages)),
        Entry::text("THIRD-PARTY-LICENSES.txt", licences::texts(packages)?),
        Entry::text("sbom.cdx.json", sbom::cyclone_dx(packages)?),
    ];
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        notices.push(Entry::file(name, &root().join(name))?);
    }
    Ok(notices)
}

/// The entries, sorted, with a file of their checksums.
pub fn with_checksums(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let sums = entries
        .iter()
        .map(|e| format!("{}  {}\n", sha256(&e.bytes), e.path));
    let sums = sums.collect();
    entries.push(Entry::text("SHA256SUMS", sums));
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries
}

/// SHA-256 in hexadecimal digits, as `sha256sum` prints it.
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
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
    }
}
