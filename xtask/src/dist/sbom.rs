//! The software bill of materials: CycloneDX 1.5 as JSON, without time and serial number, so that it depends only on the linked packages.

use serde_json::{Value, json};

use super::packages::{Package, Packages};

/// The bill of materials as text.
pub fn cyclone_dx(packages: &Packages) -> Result<String, String> {
    let purl = |id: &String| packages.all.get(id).map(Package::purl);
    let mut all: Vec<&Package> = packages.all.values().collect();
    all.sort_by_key(|p| p.purl());
    let dependencies: Vec<Value> = all
        .iter()
        .map(|p| {
            let mut uses: Vec<String> = p.uses.iter().filter_map(purl).collect();
            uses.sort();
            json!({ "ref": p.purl(), "dependsOn": uses })
        })
        .collect();
    let sbom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "pliant",
                "name": "pliant",
                "version": packages.version,
            },
        },
        "components": all.iter().map(|p| component(p)).collect::<Vec<Value>>(),
        "dependencies": dependencies,
    });
    let text = serde_json::to_string_pretty(&sbom).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

fn component(package: &Package) -> Value {
    let mut value = json!({
        "type": "library",
        "bom-ref": package.purl(),
        "name": package.name,
        "version": package.version,
        "purl": package.purl(),
        "licenses": [{ "expression": package.licence }],
    });
    if let (Some(sum), Some(fields)) = (&package.checksum, value.as_object_mut()) {
        fields.insert(
            "hashes".into(),
            json!([{ "alg": "SHA-256", "content": sum }]),
        );
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_names_every_package_once_and_refers_to_none_that_it_lacks() {
        let packages = super::super::packages::read(super::super::packages::Product::Archive)
            .expect("cargo metadata");
        let text = cyclone_dx(&packages).expect("a bill");
        assert_eq!(
            text,
            cyclone_dx(&packages).expect("a bill"),
            "the same each time"
        );
        let sbom: Value = serde_json::from_str(&text).expect("JSON");
        let names = |key: &str, field: &str| -> Vec<String> {
            let items = sbom[key].as_array().expect("a list").iter();
            items
                .map(|i| i[field].as_str().expect("text").to_string())
                .collect()
        };
        let components = names("components", "bom-ref");
        let mut once = components.clone();
        once.dedup();
        assert_eq!(components, once);
        assert!(components.len() > 50, "{}", components.len());
        for dependency in sbom["dependencies"].as_array().expect("a list") {
            for on in dependency["dependsOn"].as_array().expect("a list") {
                assert!(
                    components.iter().any(|c| Some(c.as_str()) == on.as_str()),
                    "{on}"
                );
            }
        }
    }
}
