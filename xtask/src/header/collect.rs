//! The exported items of the crate, in the order of its modules.

use std::path::{Path, PathBuf};

use syn::{
    Attribute, Fields, FnArg, GenericArgument, Item, Pat, PathArguments, ReturnType, Type,
    Visibility,
};

use super::types::{declared, number};
use crate::step::files::parse_rust;
use crate::structure::{attribute_texts, file_of, has_attribute};

/// The exported items.
#[derive(Default)]
pub struct Exported {
    pub constants: Vec<NamedItem>,
    pub enums: Vec<TypeDeclaration>,
    pub structures: Vec<TypeDeclaration>,
    pub callbacks: Vec<NamedItem>,
    pub sections: Vec<Section>,
}

/// A constant (`text` is its value) or a callback (`text` is its declaration).
pub struct NamedItem {
    pub name: String,
    pub docs: Vec<String>,
    pub text: String,
}

/// An enum or a structure.
pub struct TypeDeclaration {
    pub name: String,
    pub docs: Vec<String>,
    /// Documentation and declaration of each member.
    pub members: Vec<(Vec<String>, String)>,
}

/// The functions of a file.
pub struct Section {
    /// Documentation of the file.
    pub docs: Vec<String>,
    pub functions: Vec<Function>,
}

/// A function.
pub struct Function {
    pub docs: Vec<String>,
    /// Return type and name.
    pub head: String,
    pub arguments: Vec<String>,
}

/// Reads the crate whose root is `file`.
pub fn collect(file: &Path) -> Result<Exported, String> {
    let mut exported = Exported::default();
    read(file.to_path_buf(), &mut exported)?;
    Ok(exported)
}

fn read(file: PathBuf, exported: &mut Exported) -> Result<(), String> {
    let failed = |e: String| format!("{}: {e}", file.display());
    let parsed = parse_rust(&file)?;
    let mut functions = Vec::new();
    for item in &parsed.items {
        match item {
            Item::Mod(module) if module.content.is_none() => {
                read(file_of(&file, &module.ident.to_string(), None), exported)?;
            }
            Item::Const(c) if is_public(&c.vis) && c.ident.to_string().starts_with("PLIANT_") => {
                exported.constants.push(NamedItem {
                    name: c.ident.to_string(),
                    docs: docs(&c.attrs),
                    text: number(&c.expr).map_err(failed)?,
                });
            }
            Item::Enum(e) if has_attribute("repr", "i32", &e.attrs) => {
                exported.enums.push(enum_declaration(e).map_err(failed)?);
            }
            Item::Struct(s) if has_attribute("repr", "C", &s.attrs) => {
                exported
                    .structures
                    .push(struct_declaration(s).map_err(failed)?);
            }
            Item::Type(alias) if alias.ident.to_string().starts_with("Pliant") => {
                exported.callbacks.push(callback(alias).map_err(failed)?);
            }
            Item::Fn(f) if has_attribute("unsafe", "no_mangle", &f.attrs) => {
                functions.push(function(f).map_err(failed)?);
            }
            _ => {}
        }
    }
    if !functions.is_empty() {
        exported.sections.push(Section {
            docs: docs(&parsed.attrs),
            functions,
        });
    }
    Ok(())
}

fn enum_declaration(e: &syn::ItemEnum) -> Result<TypeDeclaration, String> {
    let name = e.ident.to_string();
    let mut members = Vec::new();
    for variant in &e.variants {
        let (_, value) = variant
            .discriminant
            .as_ref()
            .ok_or("a variant has no number")?;
        let constant = upper_snake_case(&format!("{name}{}", variant.ident));
        members.push((
            docs(&variant.attrs),
            format!("{constant} = {}", number(value)?),
        ));
    }
    Ok(TypeDeclaration {
        name,
        docs: docs(&e.attrs),
        members,
    })
}

fn struct_declaration(s: &syn::ItemStruct) -> Result<TypeDeclaration, String> {
    let Fields::Named(fields) = &s.fields else {
        return Err("a structure without names".into());
    };
    let mut members = Vec::new();
    for field in &fields.named {
        let name = field.ident.as_ref().ok_or("a field without a name")?;
        members.push((docs(&field.attrs), declared(&field.ty, &name.to_string())?));
    }
    Ok(TypeDeclaration {
        name: s.ident.to_string(),
        docs: docs(&s.attrs),
        members,
    })
}

/// `Option<extern "C" fn(...) -> ...>`, which is a pointer in C.
fn callback(alias: &syn::ItemType) -> Result<NamedItem, String> {
    const EXPECTED: &str = "a callback is an Option of an extern function";
    let Type::Path(path) = &*alias.ty else {
        return Err(EXPECTED.into());
    };
    let last = path.path.segments.last().ok_or(EXPECTED)?;
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return Err(EXPECTED.into());
    };
    let Some(GenericArgument::Type(function)) = list.args.first() else {
        return Err(EXPECTED.into());
    };
    let Type::FnPtr(function) = function else {
        return Err(EXPECTED.into());
    };
    let mut arguments = Vec::new();
    for argument in &function.inputs {
        let (name, _) = argument.name.as_ref().ok_or("an argument has no name")?;
        arguments.push(declared(&argument.ty, &name.to_string())?);
    }
    let name = alias.ident.to_string();
    Ok(NamedItem {
        text: format!(
            "{}(*{name})({})",
            return_type(&function.output)?,
            arguments.join(", ")
        ),
        docs: docs(&alias.attrs),
        name,
    })
}

fn function(f: &syn::ItemFn) -> Result<Function, String> {
    let mut arguments = Vec::new();
    for argument in &f.sig.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err("an exported function has a receiver".into());
        };
        let Pat::Ident(name) = &*argument.pat else {
            return Err("an argument has no name".into());
        };
        arguments.push(declared(&argument.ty, &name.ident.to_string())?);
    }
    Ok(Function {
        docs: docs(&f.attrs),
        head: format!("{}{}", return_type(&f.sig.output)?, f.sig.ident),
        arguments,
    })
}

/// The return type in C, with the space before the name of the function.
fn return_type(output: &ReturnType) -> Result<String, String> {
    match output {
        ReturnType::Default => Ok("void ".into()),
        // the declaration of a nameless item is the type with a space after it
        ReturnType::Type(_, ty) => declared(ty, ""),
    }
}

/// Lines of documentation.
fn docs(attributes: &[Attribute]) -> Vec<String> {
    let lines = attribute_texts("doc", attributes);
    lines.map(|text| text.trim().to_string()).collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// `PliantStatusNotUtf8` as `PLIANT_STATUS_NOT_UTF8`.
fn upper_snake_case(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_uppercase());
    }
    text
}
