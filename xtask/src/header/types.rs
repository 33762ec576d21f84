//! Rust types in C syntax.

use syn::{Expr, GenericArgument, Lit, PathArguments, Type};

/// The C declaration of an argument or a field, for example `const double place[3]`.
pub fn declared(ty: &Type, name: &str) -> Result<String, String> {
    let (word, arguments) = type_parts(ty)?;
    let inner = |k: usize| arguments.get(k).ok_or_else(unsupported_type);
    Ok(match word.as_str() {
        "Text" => format!("const char *{name}"),
        "UserData" => format!("void *{name}"),
        "Fixed" => {
            let (of, n) = (inner(0)?.c_type()?, inner(1)?.number()?);
            format!("const {of} {name}[{n}]")
        }
        "Rows" => format!("const {} *{name}", inner(0)?.c_type()?),
        "OutRows" => format!("{} *{name}", inner(0)?.c_type()?),
        "Out" => match inner(0)? {
            Argument::Array(of, n) => format!("{of} {name}[{n}]"),
            of => format!("{} *{name}", of.c_type()?),
        },
        "Choice" => format!("{} {name}", inner(0)?.c_type()?),
        "*const c_char" => format!("const char *{name}"),
        "*mut c_void" => format!("void *{name}"),
        word if arguments.is_empty() => format!("{} {name}", c_type(word)),
        _ => return Err(unsupported_type()),
    })
}

/// A generic argument.
enum Argument {
    Word(String),
    Array(String, String),
    Number(String),
}

impl Argument {
    fn c_type(&self) -> Result<String, String> {
        match self {
            Self::Word(word) => Ok(c_type(word)),
            Self::Array(..) | Self::Number(_) => Err("a type is expected".into()),
        }
    }

    fn number(&self) -> Result<&str, String> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Word(_) | Self::Array(..) => Err("a number is expected".into()),
        }
    }
}

/// The C name of a type. Types of the header have the same name in Rust.
fn c_type(word: &str) -> String {
    let name = match word {
        "f32" => "float",
        "f64" => "double",
        "i32" => "int32_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        "c_char" => "char",
        other => other,
    };
    name.to_string()
}

/// The name of a type and its generic arguments.
fn type_parts(ty: &Type) -> Result<(String, Vec<Argument>), String> {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last().ok_or_else(unsupported_type)?;
            let arguments = match &last.arguments {
                PathArguments::AngleBracketed(list) => {
                    list.args.iter().map(argument).collect::<Result<_, _>>()?
                }
                _ => Vec::new(),
            };
            Ok((last.ident.to_string(), arguments))
        }
        Type::Ptr(pointer) => {
            let kind = match pointer.mutability {
                syn::PointerMutability::Const(_) => "const",
                syn::PointerMutability::Mut(_) => "mut",
            };
            let (word, _) = type_parts(&pointer.elem)?;
            Ok((format!("*{kind} {word}"), Vec::new()))
        }
        _ => Err(unsupported_type()),
    }
}

fn argument(argument: &GenericArgument) -> Result<Argument, String> {
    match argument {
        GenericArgument::Type(Type::Array(array)) => {
            let (of, _) = type_parts(&array.elem)?;
            Ok(Argument::Array(c_type(&of), number(&array.len)?))
        }
        GenericArgument::Type(ty) => Ok(Argument::Word(type_parts(ty)?.0)),
        GenericArgument::Const(expression) => Ok(Argument::Number(number(expression)?)),
        _ => Err("an argument of a type that has no word in C".into()),
    }
}

/// The digits of an integer literal.
pub fn number(expression: &Expr) -> Result<String, String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Ok(number.base10_digits().to_string()),
            _ => Err("a whole number is expected".into()),
        },
        _ => Err("a whole number is expected".into()),
    }
}

fn unsupported_type() -> String {
    "a type that has no word in C; add it to xtask/src/header/types.rs".into()
}
