//! Types of Rust as C writes them.

use syn::{Expr, GenericArgument, Lit, PathArguments, Type};

/// An argument or a field in C: `const double place[3]`.
pub fn declared(ty: &Type, name: &str) -> Result<String, String> {
    let (word, arguments) = parts(ty)?;
    let inner = |k: usize| arguments.get(k).ok_or_else(|| unknown(ty));
    Ok(match word.as_str() {
        "Text" => format!("const char *{name}"),
        "UserData" => format!("void *{name}"),
        "Fixed" => {
            let (of, n) = (inner(0)?.plain()?, inner(1)?.number()?);
            format!("const {of} {name}[{n}]")
        }
        "Rows" => format!("const {} *{name}", inner(0)?.plain()?),
        "OutRows" => format!("{} *{name}", inner(0)?.plain()?),
        "Out" => match inner(0)? {
            Argument::Array(of, n) => format!("{of} {name}[{n}]"),
            of => format!("{} *{name}", of.plain()?),
        },
        "Choice" => format!("{} {name}", inner(0)?.plain()?),
        "*const c_char" => format!("const char *{name}"),
        "*mut c_void" => format!("void *{name}"),
        word if arguments.is_empty() => format!("{} {name}", plain(word)),
        _ => return Err(unknown(ty)),
    })
}

/// What a function gives, with the space before its name.
pub fn returned(ty: &Type) -> Result<String, String> {
    declared(ty, "")
}

/// What stands between angle brackets.
enum Argument {
    Word(String),
    Array(String, String),
    Number(String),
}

impl Argument {
    fn plain(&self) -> Result<String, String> {
        match self {
            Self::Word(word) => Ok(plain(word)),
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

/// Types that C has other names for; those of the header have the same.
fn plain(word: &str) -> String {
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

/// The word of a type, and its arguments.
fn parts(ty: &Type) -> Result<(String, Vec<Argument>), String> {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last().ok_or_else(|| unknown(ty))?;
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
            let (word, _) = parts(&pointer.elem)?;
            Ok((format!("*{kind} {word}"), Vec::new()))
        }
        _ => Err(unknown(ty)),
    }
}

fn argument(argument: &GenericArgument) -> Result<Argument, String> {
    match argument {
        GenericArgument::Type(Type::Array(array)) => {
            let (of, _) = parts(&array.elem)?;
            Ok(Argument::Array(plain(&of), number(&array.len)?))
        }
        GenericArgument::Type(ty) => Ok(Argument::Word(parts(ty)?.0)),
        GenericArgument::Const(expression) => Ok(Argument::Number(number(expression)?)),
        _ => Err("an argument of a type that has no word in C".into()),
    }
}

/// A number as it is written.
pub fn number(expression: &Expr) -> Result<String, String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Ok(number.base10_digits().to_string()),
            _ => Err("a whole number is expected".into()),
        },
        _ => Err("a whole number is expected".into()),
    }
}

fn unknown(_: &Type) -> String {
    "a type that has no word in C; add it to xtask/src/header/types.rs".into()
}
