//! The modules of a crate, one per file, with the items that each defines, imports and names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use syn::visit::{Visit, visit_item_mod, visit_path};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, ItemUse, Lit, Meta, UseTree, Visibility};

use crate::step::files::parse_rust;

/// A file of a crate.
#[derive(Debug, Default)]
pub struct Module {
    /// Path inside the crate; empty for its root.
    pub path: Vec<String>,
    /// Imports.
    pub imports: Vec<Import>,
    /// Paths of more than one segment that the code names.
    pub named: Vec<Vec<String>>,
    /// Names of the items that the file defines.
    pub defined: HashSet<String>,
    /// Declared modules with separate files, and their `path` attributes.
    children: Vec<(String, Option<String>)>,
}

/// One name that a `use` brings in.
#[derive(Debug)]
pub struct Import {
    /// Segments as written.
    pub path: Vec<String>,
    /// The local name; `*` for all of a module.
    pub name: String,
    /// Whether the import is a re-export.
    pub is_public: bool,
}

impl Module {
    /// The name for messages.
    pub fn name(&self) -> String {
        match self.path.is_empty() {
            true => "the root".to_string(),
            false => self.path.join("/"),
        }
    }
}

/// All modules of the crate whose root is `file`, without those of tests.
pub fn read(file: &Path) -> Result<Vec<Module>, String> {
    let mut modules = Vec::new();
    let mut queue = vec![(file.to_path_buf(), Vec::new())];
    while let Some((file, path)) = queue.pop() {
        let parsed = parse_rust(&file)?;
        let mut module = Module {
            path,
            ..Module::default()
        };
        module
            .defined
            .extend(parsed.items.iter().filter_map(name_of));
        module.visit_file(&parsed);
        for (child, path_attribute) in &module.children {
            let mut path = module.path.clone();
            path.push(child.clone());
            queue.push((file_of(&file, child, path_attribute.as_deref()), path));
        }
        modules.push(module);
    }
    Ok(modules)
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        if !has_attribute("cfg", "test", attributes_of(item)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        match module.content {
            Some(_) => visit_item_mod(self, module),
            None => {
                let path = attribute_texts("path", &module.attrs).next();
                self.children.push((module.ident.to_string(), path));
            }
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_public = !matches!(item.vis, Visibility::Inherited);
        flatten(&item.tree, Vec::new(), &mut |path, name| {
            self.imports.push(Import {
                path,
                name,
                is_public,
            });
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 && path.leading_colon.is_none() {
            let names = path.segments.iter().map(|s| s.ident.to_string());
            self.named.push(names.collect());
        }
        visit_path(self, path);
    }
}

/// Calls `found` with the path and local name of each import in a tree.
fn flatten(tree: &UseTree, mut path: Vec<String>, found: &mut impl FnMut(Vec<String>, String)) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, found);
        }
        UseTree::Name(name) if name.ident == "self" => {
            let last = path.last().cloned().unwrap_or_default();
            found(path, last);
        }
        UseTree::Name(name) => {
            path.push(name.ident.to_string());
            found(path, name.ident.to_string());
        }
        UseTree::Rename(name) => {
            path.push(name.ident.to_string());
            found(path, name.rename.to_string());
        }
        UseTree::Glob(_) => found(path, "*".to_string()),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path.clone(), found);
            }
        }
    }
}

/// The file of a module that is declared in `parent`.
pub fn file_of(parent: &Path, child: &str, path_attribute: Option<&str>) -> PathBuf {
    let folder = parent.parent().unwrap_or(Path::new(""));
    if let Some(path_attribute) = path_attribute {
        return folder.join(path_attribute);
    }
    let stem = parent.file_stem().unwrap_or_default();
    let folder = match ["lib", "main", "mod"].iter().any(|root| stem == *root) {
        true => folder.to_path_buf(),
        false => folder.join(stem),
    };
    let file = folder.join(format!("{child}.rs"));
    match file.is_file() {
        true => file,
        false => folder.join(child).join("mod.rs"),
    }
}

/// The texts of all `#[name = "text"]`.
pub fn attribute_texts(name: &str, attributes: &[Attribute]) -> impl Iterator<Item = String> {
    attributes.iter().filter_map(move |a| match &a.meta {
        Meta::NameValue(pair) if pair.path.is_ident(name) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Whether one of the attributes is `#[name(inside)]`.
pub fn has_attribute(name: &str, inside: &str, attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        Meta::List(list) => list.path.is_ident(name) && list.tokens.to_string() == inside,
        _ => false,
    })
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(i) => &i.ident,
        Item::Enum(i) => &i.ident,
        Item::Fn(i) => &i.sig.ident,
        Item::Static(i) => &i.ident,
        Item::Struct(i) => &i.ident,
        Item::Trait(i) => &i.ident,
        Item::Type(i) => &i.ident,
        Item::Macro(i) => i.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}
